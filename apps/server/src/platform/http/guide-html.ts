import { apiBase } from '@pult/contract'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './escape-html.ts'

/** The id of a heading, as GitHub forms it, so that links to a section work in both places. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** The address of a link in a guide; null for a file that the installation does not serve. */
function addressOf(href: string, guides: ReadonlySet<string>): string | null {
  if (href.startsWith('#') || href.startsWith('https://')) return href
  const [file = '', section] = href.split('#')
  const name = file.replace(/\.md$/, '')
  if (name === file || !guides.has(name)) return null
  return `${apiBase}/guides/${name}${section === undefined ? '' : `#${section}`}`
}

/** Renders a guide. HTML in it appears as text, and only links to other guides and to https addresses remain. */
export function guideHtml(markdown: string, guides: ReadonlySet<string>): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, text, depth }: Tokens.Heading) {
        return `<h${depth} id="${escapeHtml(idOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens)
        const address = addressOf(href, guides)
        return address === null ? content : `<a href="${escapeHtml(address)}">${content}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      // Wide code blocks and tables scroll independently of the page, with the keyboard as well.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  })
  return marked.parse(markdown, { async: false })
}
