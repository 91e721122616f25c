import { pultExtension } from '@pult/sdk/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react(), pultExtension()],
  // The first run can be slow on a busy machine.
  test: { environment: 'happy-dom', testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } },
})
