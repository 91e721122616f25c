import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // light-dark() and nesting as they are written, instead of a compiled form that is no easier on the browser.
  build: { cssTarget: ['chrome123', 'firefox121', 'safari17.5'] },
})
