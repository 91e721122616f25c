import type { CorpusFile } from './corpus-file.ts'
import { documents } from './documents.ts'
import { jpegs } from './jpegs.ts'
import { lists } from './lists.ts'
import { pictures } from './pictures.ts'
import { pngs } from './pngs.ts'
import { sounds } from './sounds.ts'
import { vectors } from './vectors.ts'
import { videos } from './videos.ts'

/** Files of the kinds that devices and programs write, each with the program that wrote it. */
export const corpus: readonly CorpusFile[] = [
  ...jpegs,
  ...pngs,
  ...pictures,
  ...vectors,
  ...sounds,
  ...videos,
  ...documents,
  ...lists,
]
