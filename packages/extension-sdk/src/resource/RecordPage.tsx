import { StaleNote } from '../stale/StaleNote.tsx'
import { BackToList } from '../ui/BackToList.tsx'
import { Answer, ageOf, type LoadedProps } from './Loaded.tsx'
import styles from './RecordPage.module.css'

export interface RecordPageProps<Data> extends LoadedProps<Data> {
  /** Label of the back link: "All cues". */
  back: string
  /** Path of the list within the app. By default it is the app's first page. */
  backTo?: string
}

/**
 * Renders the page of a record with its own title: a link back to the list, and the record like `Loaded`. The children
 * begin with a PageHead.
 *
 * @example
 * <RecordPage back="All cues" query={useCue(cueId)} failed="The cue could not be loaded" gone={<EmptyState title="…" />}>
 *   {(cue) => <CueCards cue={cue} />}
 * </RecordPage>
 */
export function RecordPage<Data>({ back, backTo, ...loaded }: RecordPageProps<Data>) {
  return (
    <div className={styles.page} data-record-page="">
      <div className={styles.top}>
        <BackToList {...(backTo !== undefined && { to: backTo })}>{back}</BackToList>
        <StaleNote since={ageOf(loaded)} />
      </div>
      <Answer {...loaded} />
    </div>
  )
}
