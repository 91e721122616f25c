import pg from 'pg'
import { expect, test, vi } from 'vitest'
import './late-errors.ts'

test('RULE-80 a late error of a connection that its library has released does not end the process', () => {
  const client = new pg.Client()
  const listener = vi.fn<() => void>()
  client.on('error', listener)
  client.emit('error', new Error('terminating connection because of crash of another server process'))
  client.removeAllListeners()

  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  expect(listener).toHaveBeenCalledOnce()
})
