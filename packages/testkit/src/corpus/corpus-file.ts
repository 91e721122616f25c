import type { ErrorCode } from '@pult/contract'
import type { Source } from './studio.ts'

/** One file of the corpus. */
export interface CorpusFile {
  /** As devices and programs name it. Unique. */
  name: string
  /** The media type that a browser reports; empty if the operating system knows none. */
  type: string
  /** The device or program that writes such files. */
  writer: string
  source: Source
  /** What Chromium shows of it in `<img>`, `<audio>` or `<video>`. */
  shows: 'picture' | 'sound' | 'video' | 'nothing'
  /** Its codec has licence fees, so that some builds of Chromium do not show it, or only its sound. */
  isLicensed?: boolean
  /** The lower half is missing or damaged, and programs fill it differently. */
  isIncomplete?: boolean
  /** It has no profile for its inks, so that each program converts the colours differently. */
  hasVagueColors?: boolean
  /** A document that browsers execute, so that Pult stores it and never shows it. */
  isOnlyFile?: boolean
  /** The codes with which Pult may refuse it, if Chromium shows nothing. */
  refused?: readonly ErrorCode[]
  /** The number of people in a list for invitations. */
  people?: number
}
