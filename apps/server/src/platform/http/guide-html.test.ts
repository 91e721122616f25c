import { expect, test } from 'vitest'
import { guideHtml } from './guide-html.ts'

const guides = new Set(['install', 'backup'])

test('a guide links only to other guides and to https addresses', () => {
  expect(guideHtml('[Backup](backup.md#a-key) and [age](https://age.example/)', guides)).toBe(
    '<p><a href="/api/guides/backup#a-key">Backup</a> and <a href="https://age.example/">age</a></p>\n',
  )
  for (const href of [
    '../decisions/0001-x.md',
    'none.md',
    'pult-alerts.yml',
    'javascript:alert(1)',
    '//x.example',
  ])
    expect(guideHtml(`[text](${href})`, guides), href).toBe('<p>text</p>\n')
})

test('HTML in a guide appears as text', () => {
  const html = guideHtml(
    '<script>alert(1)</script>\n\n## <b onclick=x>Key</b>\n\nA <img src=x> ![<i>](x.png) `<u>`\n\n```\n<s>\n```\n',
    guides,
  )
  expect(html.replaceAll(/<\/?(?:p|h2|code|pre)(?: (?:id|tabindex)="[^"<>]*")?>/g, '')).not.toMatch(/[<>]/)
})
