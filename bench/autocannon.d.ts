declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  namespace autocannon {
    interface Client {
      setHeaders(headers: Record<string, string>): void
      setHeadersAndBody(headers: Record<string, string>, body: string): void
      /** Called before the next request. */
      on(event: 'response', listener: () => void): void
    }

    interface Options {
      url: string
      /** Duration in seconds. */
      duration: number
      connections: number
      method?: 'GET' | 'POST' | 'PUT'
      /** Called for each connection before its first request. */
      setupClient?: (client: Client) => void
    }

    interface Result {
      errors: number
      timeouts: number
      non2xx: number
    }

    interface Run extends EventEmitter, PromiseLike<Result> {
      /** `milliseconds` is fractional, unlike the latencies of the result. */
      on(
        event: 'response',
        listener: (client: Client, status: number, bytes: number, milliseconds: number) => void,
      ): this
    }
  }

  function autocannon(options: autocannon.Options): autocannon.Run
  export = autocannon
}
