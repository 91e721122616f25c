import { AppError } from '../app-error.ts'
import type { Sentence } from '../language.ts'

/** Why the file store cannot be used, and the remedy, in words for its operator. Clauses without a full stop. */
export class FileStoreFault extends Error {
  override readonly name = 'FileStoreFault'
  readonly what: Sentence
  readonly fix: Sentence

  constructor(what: Sentence, fix: Sentence, cause?: unknown) {
    super(what.de, { cause })
    this.what = what
    this.fix = fix
  }
}

const both = (de: string, german: string): Sentence => ({ de, 'de-DE': german })

/** Returns the fault of a store that has not answered in time. */
export const noAnswerFault = () =>
  new FileStoreFault(
    both('the file store does not answer', 'der Dateispeicher antwortet nicht'),
    both(
      'Check that it runs and that this machine reaches it: FILES_FOLDER, or FILES_S3_ENDPOINT',
      'Prüfen Sie, ob er läuft und von dieser Maschine erreichbar ist: FILES_FOLDER oder FILES_S3_ENDPOINT',
    ),
  )

/** Returns the refusal of a call that needs the file store while it does not answer. */
export function storeUnavailable(cause: unknown): AppError {
  const message = both(
    'The file store is not available. Try again in a moment',
    'Der Dateispeicher ist nicht verfügbar. Versuchen Sie es gleich noch einmal',
  )
  return Object.assign(new AppError('BUSY', { message, retryAfter: 2 }), { cause })
}
