import { StaleNote } from '../stale/StaleNote.tsx'
import { BackToList } from '../ui/BackToList.tsx'
import { Answer, ageOf, type LoadedProps } from './Loaded.tsx'
import styles from './RecordPage.module.css'

export interface RecordPageProps<Data> extends LoadedProps<Data> {
  /** The name of the list: "All cues". */
  back: string
  /** The list's path within the app; the app's own page when left out. */
  backTo?: string
}

/**
 * The page of a record that has a title of its own: the way back to its list, and the record as `Loaded` shows it. The
 * children begin with a PageHead.
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
