import pg from 'pg'
import { expect, test, vi } from 'vitest'
import './unheard-errors.ts'

test('RULE-80 a last error of a connection that its library has given up does not end the process', () => {
  const client = new pg.Client()
  const heard = vi.fn<() => void>()
  client.on('error', heard)
  client.emit('error', new Error('terminating connection because of crash of another server process'))
  client.removeAllListeners()

  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  expect(heard).toHaveBeenCalledOnce()
})
