import { afterAll } from 'vitest'
import { endFile } from './on-file-end.ts'

afterAll(endFile)
