import { pultExtension } from '@pult/sdk/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react(), pultExtension()],
  test: { environment: 'happy-dom' },
})
