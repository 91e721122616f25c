import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deliver, Delivery } from './mail.ts'
import type { Mailbox } from './mailbox.ts'
import { messageOf } from './message.ts'

interface MailFolderOptions {
  folder: string
  from: Mailbox
}

/**
 * Without a mail server, writes each mail to a file for mail programs. Mails contain links, so only the owner can
 * read the files.
 */
export function createMailFolder({ folder, from }: MailFolderOptions): Deliver {
  return async (delivery) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ streamTransport: true, buffer: true })
    const { message } = await transport.sendMail(messageOf(delivery, from))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(join(folder, fileName(delivery)), message as Buffer)
    return null
  }
}

/** Sorted by time, and equal for each attempt of a mail. */
const fileName = ({ id, writtenAt }: Delivery) => `${writtenAt.toISOString().replace(/[:.]/g, '-')}-${id}.eml`

async function writeWhole(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
