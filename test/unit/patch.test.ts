import { expect, it } from 'vitest'
import { patch } from '../../src/patch.ts'

const prefixed = (prefix: string) => (original: () => string) => () => `${prefix} ${original()}`
const plain = () => ({ say: (): string => 'hello' })

it('is put back, also where the object only inherited it', () => {
  const object = Object.create(plain()) as { say: () => string }
  const undo = patch(object, 'say', prefixed('well,'))
  expect(object.say()).toBe('well, hello')
  undo()
  expect([object.say(), Object.hasOwn(object, 'say')]).toEqual(['hello', false])
})

it('leaves what another has put over it', () => {
  const object = plain()
  const undo = patch(object, 'say', prefixed('well,'))
  object.say = prefixed('traced:')(object.say)
  undo()
  expect(object.say()).toBe('traced: well, hello')
})

it('of two is put back in either order', () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const object = plain()
    const undo = [patch(object, 'say', prefixed('a')), patch(object, 'say', prefixed('b'))]
    undo[order[0]!]!()
    expect(object.say()).toBe(order[0] === 0 ? 'b a hello' : 'a hello')
  }
})
