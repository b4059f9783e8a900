import { validationJson, validationText } from '../report/validation.ts'
import { validateBundle } from '../validate.ts'
import { paperFor } from './terminal.ts'

export interface ValidateFlags {
  readonly partial?: boolean
  readonly verifyIntegrity?: boolean
  readonly secrets?: boolean
  readonly json?: boolean
  readonly color?: boolean
}

/** The worst exit code of all bundles counts: 2, 3, 1, 0. */
export function validateCommand(paths: readonly string[], flags: ValidateFlags): number {
  const paper = paperFor(process.stdout, flags.color)
  const options = {
    partial: flags.partial ?? false,
    verifyIntegrity: flags.verifyIntegrity ?? false,
    ...(flags.secrets === true && { secrets: { environment: process.env } }),
  }
  const validations = paths.map(path => {
    const validation = validateBundle(path, options)
    if (!flags.json) process.stdout.write(validationText(validation, paper))
    return validation
  })
  if (flags.json) process.stdout.write(validationJson(validations))
  return [2, 3, 1].find(code => validations.some(validation => validation.exitCode === code)) ?? 0
}
