import { serve } from '../apps/server/src/serve.ts'

await serve(process.env, {
  withoutConsole: true,
  onMail: ({ to, subject, text }) => console.log(`\nMail to ${to}: ${subject}\n\n${text}\n`),
})
