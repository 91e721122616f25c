import type { usePagedList } from '@pult/sdk'
import { Button } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'

type List = Pick<
  ReturnType<typeof usePagedList>,
  'items' | 'total' | 'isCapped' | 'pageIndex' | 'goNext' | 'goBack'
>

/** How many there are, and the way to the next ones. */
export function Pager({ list }: { list: List }) {
  const { items, total, isCapped, pageIndex, goNext, goBack } = list
  if (items === undefined || (items.length === 0 && goBack === null)) return null
  return (
    <nav className={styles.pager} aria-label={texts.pages}>
      <span className={styles.count} role="status">
        {texts.count(total, isCapped)}
        {(goNext ?? goBack) !== null && ` · ${texts.page(pageIndex + 1)}`}
      </span>
      {(goNext ?? goBack) !== null && (
        <>
          <Button disabled={goBack === null} onClick={goBack ?? undefined}>
            {texts.previousPage}
          </Button>
          <Button disabled={goNext === null} onClick={goNext ?? undefined}>
            {texts.nextPage}
          </Button>
        </>
      )}
    </nav>
  )
}
