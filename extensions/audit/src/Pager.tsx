import type { usePagedList } from '@pult/sdk'
import { Button } from '@pult/sdk/ui'
import styles from './audit.module.css'
import { texts } from './audit.texts.ts'

type List = Pick<
  ReturnType<typeof usePagedList>,
  'items' | 'total' | 'isCapped' | 'pageIndex' | 'goNext' | 'goBack'
>

/** How many there are, and the way to older ones. */
export function Pager({ list }: { list: List }) {
  const { items, total, isCapped, pageIndex, goNext, goBack } = list
  if (items === undefined || (items.length === 0 && goBack === null)) return null
  const hasPages = (goNext ?? goBack) !== null
  return (
    <nav className={styles.pager} aria-label={texts.pages}>
      <span className={styles.count} role="status">
        {texts.count(total, isCapped)}
        {hasPages && ` · ${texts.page(pageIndex + 1)}`}
      </span>
      {hasPages && (
        <>
          <Button disabled={goBack === null} onClick={goBack ?? undefined}>
            {texts.newerPage}
          </Button>
          <Button disabled={goNext === null} onClick={goNext ?? undefined}>
            {texts.olderPage}
          </Button>
        </>
      )}
    </nav>
  )
}
