import type { ErrorCode } from '@pult/contract'
import { errors } from '@pult/contract'
import { expect } from 'vitest'
import type { Answer } from './call.ts'

interface PultMatchers<Result> {
  /** Expects that the call failed with this code, the status of the code and a message. */
  toFailWith(code: ErrorCode): Result
  toSucceed(): Result
}

declare module 'vitest' {
  interface Matchers<R, T> extends PultMatchers<R> {}
}

expect.extend({
  toFailWith(received: Answer<{ message?: string }>, code: ErrorCode) {
    const pass =
      received.code === code &&
      received.status === errors[code].status &&
      typeof received.body.message === 'string'
    return {
      pass,
      message: () =>
        `expected ${pass ? 'no ' : ''}${code} (${errors[code].status}), got ${received.status} ${JSON.stringify(received.body)}`,
    }
  },
  toSucceed(received: Answer<unknown>) {
    return {
      pass: received.code === undefined && received.status === 200,
      message: () => `expected a success, got ${received.status} ${JSON.stringify(received.body)}`,
    }
  },
})
