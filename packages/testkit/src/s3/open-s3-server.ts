import { afterAll } from 'vitest'
import { startS3Server } from './s3-server.ts'

/** Starts an S3 store until the end of the file. */
export async function openS3Server() {
  const store = await startS3Server()
  afterAll(store.stop)
  return store
}
