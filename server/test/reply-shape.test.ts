import { endpoint } from '@keystall/contract/endpoint'
import { envelope } from '@keystall/contract/envelope'
import { Type } from 'typebox'
import { assert, test } from 'vitest'
import { departure } from './reply-shape.ts'

const data = Type.Object({ name: Type.String(), notes: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))) })
const look = endpoint({ method: 'GET', path: '/user', access: 'public', summary: '', reply: envelope(data) })
const toldNothing = endpoint({ method: 'GET', path: '/user', access: 'public', summary: '', reply: 'nothing' })

function said(value: unknown, status = 200) {
  return { status, headers: {}, text: JSON.stringify(value), ms: 1 }
}

const whole = { success: true, message: '', data: { name: 'x', notes: [{ id: 'y' }] } }

test('a success holds all that its shape names, of the kind it names, and no more', () => {
  assert.equal(departure(look, said(whole)), undefined)
  assert.equal(departure(look, said({ ...whole, data: { name: 'x' } })), undefined)
  for (const data of [
    {},
    { name: null },
    { name: 1 },
    { name: 'x', key: 'y' },
    { name: 'x', notes: [{ id: 'y', n: 1 }] },
  ])
    assert.match(departure(look, said({ ...whole, data })) ?? '', /does not fit/, JSON.stringify(data))
  assert.match(departure(look, { ...said(whole), text: '<html>' }) ?? '', /no JSON/)
  assert.match(departure(look, said(whole, 201)) ?? '', /201/)
  assert.match(departure(toldNothing, said(whole)) ?? '', /a body/)
})
