import { expect } from '@playwright/test'

/** Waits longer than Playwright's default: several browsers share the cores of a small machine. */
export const expectPage = expect.configure({ timeout: 30_000 })
