/**
 * The sidecar `x-values.jsonl`: values that JSON lacks, by place; the payload itself holds plain JSON (null for
 * `undefined`), so that other readers go on. Optional; described in docs/format.md.
 */
export interface SpecialValue {
  /** Id of the event whose payload it is. */
  readonly event: string
  readonly member: 'input' | 'output'
  /** JSON Pointer into the payload; '' is the whole of it. */
  readonly path: string
  /** `lost`: the value had no JSON form, and a replay refuses to pass over it. */
  readonly is: 'undefined' | 'lost'
}
