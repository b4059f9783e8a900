import { expect, it } from 'vitest'
import { watchHttp } from '../../../src/boundary/watch-http.ts'

it('is taken back by the last of several runs that overlap', () => {
  const before = fetch
  const [first, second] = [watchHttp(), watchHttp()]
  const patched = fetch
  expect(patched).not.toBe(before)
  first()
  first()
  expect(fetch).toBe(patched)
  second()
  expect(fetch).toBe(before)
  const third = watchHttp()
  expect(fetch).not.toBe(before)
  third()
  expect(fetch).toBe(before)
})
