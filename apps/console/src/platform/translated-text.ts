/*
 * Translators of browsers replace each text node by a `<font>` element. React keeps the replaced node: it writes later
 * texts into it, which no reader sees, and removing it fails (https://github.com/facebook/react/issues/11538).
 */

/** Elements by which a translator has replaced text nodes. */
const replacements = new WeakMap<Node, Element>()
/** The elements of `replacements`. A text beside one of another text must not get it. */
const taken = new WeakSet<Element>()

/**
 * Shows later changes of translated texts, and lets React move and remove them. A changed text replaces its
 * translation, and the translator then translates it again.
 */
export function followTranslator(): void {
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') restore(record.target)
      for (const text of record.removedNodes) {
        const element = replacementIn(record)
        if (!(text instanceof Text) || element === undefined) continue
        replacements.set(text, element)
        taken.add(element)
        // Nodes outside the document are observed as well.
        observer.observe(text, { characterData: true })
      }
    }
  })
  observer.observe(document.body, { childList: true, subtree: true })

  const { removeChild, insertBefore } = Node.prototype
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      return removeChild.call(this, inPlaceOf(child, this))
    },
    insertBefore(this: Node, node: Node, next: Node | null) {
      return insertBefore.call(this, node, next && inPlaceOf(next, this))
    },
  })
}

/** Translators insert the element instead of the text, or beside it before they remove the text. */
const replacementIn = ({ addedNodes, previousSibling, nextSibling }: MutationRecord) =>
  [...addedNodes, previousSibling, nextSibling].find(
    (node): node is Element => node instanceof Element && node.tagName === 'FONT' && !taken.has(node),
  )

function restore(text: Node): void {
  const element = replacements.get(text)
  replacements.delete(text)
  if (element?.isConnected === true && !text.isConnected) element.replaceWith(text)
}

/** Returns the node that stands in `parent` for a child. */
function inPlaceOf(child: Node, parent: Node): Node {
  if (child.parentNode === parent) return child
  const element = replacements.get(child)
  return element?.parentNode === parent ? element : child
}
