/** What our recorder keeps of an error in the `details` of its event, below `stepfork` (docs/format.md). */
import { type ErrorDetails, readErrorDetails } from '../json/read-error-record.ts'
import { isJsonObject, type Json } from '../json/value.ts'

/** The details of other writers give nothing. */
export function errorDetails(details: Json): ErrorDetails {
  return isJsonObject(details) && isJsonObject(details.stepfork) ? readErrorDetails(details.stepfork) : {}
}
