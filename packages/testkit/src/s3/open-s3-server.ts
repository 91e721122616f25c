import { afterAll } from 'vitest'
import { startS3Server } from './s3-server.ts'

/** An S3 store that ends after the file's tests. */
export async function openS3Server() {
  const store = await startS3Server()
  afterAll(store.stop)
  return store
}
