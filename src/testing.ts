/** What tests and tools import. */
export { readBundle } from './store/read-bundle.ts'
export { validateBundle } from './validate.ts'
