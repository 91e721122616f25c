import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { onFileEnd } from '../on-file-end.ts'

/**
 * The reply to a command such as `EHLO pult.example.org`, to `greeting`, or to `message` once the whole mail is there.
 * `close` closes the connection without a reply; undefined accepts the command.
 */
type MailReply = (command: string) => string | undefined | Promise<string | undefined>

const accepting: [RegExp, string][] = [
  [/^greeting$/, '220 mail.example.org'],
  [/^EHLO /, '250-mail.example.org\r\n250 AUTH PLAIN LOGIN'],
  [/^AUTH /, '235 accepted'],
  [/^STARTTLS$/, '502 not implemented'],
  [/^DATA$/, '354 go ahead'],
  [/^message$/, '250 queued'],
  [/^QUIT$/, '221 bye'],
]

/**
 * Starts a mail server on loopback until the end of the file, that replies as the test decides: strict, slow, or
 * closing the connection. Use `openMailbox` for one that accepts all mail.
 */
export async function openMailServer(reply: MailReply = () => undefined) {
  const commands: string[] = []
  const messages: string[] = []
  const sockets = new Set<Socket>()

  async function serve(socket: Socket): Promise<void> {
    const answer = async (command: string): Promise<boolean> => {
      commands.push(command)
      const given = (await reply(command)) ?? accepting.find(([form]) => form.test(command))?.[1] ?? '250 ok'
      if (given === 'close') socket.destroy()
      else socket.write(`${given}\r\n`)
      return given !== 'close'
    }
    let message: string[] | undefined
    if (!(await answer('greeting'))) return
    for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (message === undefined) {
        if (!(await answer(line))) return
        if (line === 'DATA') message = []
      } else if (line !== '.') message.push(line)
      else {
        messages.push(message.join('\r\n'))
        message = undefined
        if (!(await answer('message'))) return
      }
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket).catch(() => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  onFileEnd(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((closed) => server.close(() => closed()))
  })
  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    /** All commands of all connections, in order. */
    commands,
    /** The sources of all mails that arrived completely, including those that were rejected. */
    messages,
  }
}
export type MailServer = Awaited<ReturnType<typeof openMailServer>>
