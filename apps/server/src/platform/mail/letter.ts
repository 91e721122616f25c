import type { MailKind } from '@pult/contract'
import { escapeHtml as escape } from '../http/escape-html.ts'
import type { MailLanguage, OutgoingMail } from './mail.ts'

/** A mail's content in one language. */
export interface LetterPart {
  language: MailLanguage
  subject: string
  paragraphs: readonly string[]
  /** Label of the link. */
  action: string
  /** Text below the link. */
  note: string
}

export interface Letter {
  kind: MailKind
  to: string
  link: string
  parts: readonly LetterPart[]
}

/**
 * Writes a letter as text and HTML in all given languages, because the recipient's language is often unknown. The
 * HTML loads no resources.
 */
export function writeLetter({ kind, to, link, parts }: Letter): OutgoingMail {
  const inLanguage: OutgoingMail['inLanguage'] = {}
  for (const part of parts) inLanguage[part.language] = written([part], link)
  return { kind, to, ...written(parts, link), inLanguage }
}

function written(parts: readonly LetterPart[], link: string) {
  const subject = [...new Set(parts.map((part) => part.subject))].join(' / ')
  const body = parts.map((part) => htmlPart(part, link)).join(divider)
  return {
    subject,
    text: `${parts.map((part) => textPart(part, link)).join('\n\n– – –\n\n')}\n`,
    html: htmlLetter(subject, body, parts[0]?.language ?? 'de'),
  }
}

const textPart = ({ paragraphs, action, note }: LetterPart, link: string) =>
  [...paragraphs, `${action}:\n${link}`, note].join('\n\n')

const divider = '<hr style="border:0;border-top:1px solid #d5dbdf;margin:32px 0">'

function htmlPart({ language, paragraphs, action, note }: LetterPart, link: string): string {
  const text = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escape(paragraph)}</p>`).join('')
  const href = escape(link)
  return `<div lang="${language}">${text}
<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:11px 20px;border-radius:8px;background:#0b6470;color:#ffffff;font-weight:600;text-decoration:none">${escape(action)}</a></p>
<p style="margin:0 0 16px;font-size:13px;overflow-wrap:anywhere"><a href="${href}" style="color:#0b6470">${href}</a></p>
<p style="margin:0;font-size:13px;color:#5b6670">${escape(note)}</p></div>`
}

const htmlLetter = (subject: string, body: string, language: MailLanguage) => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f2f5f6">
<div style="max-width:520px;margin:0 auto;padding:32px;border:1px solid #d5dbdf;border-radius:12px;background:#ffffff;color:#14191d;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<p style="margin:0 0 24px;font-size:18px;font-weight:700;color:#0b6470">Pult</p>
${body}
</div>
</body>
</html>
`
