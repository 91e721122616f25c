import { defineApp } from '@pult/sdk'
import { ExtensionPage } from './ExtensionPage.tsx'
import { ExtensionsPage } from './ExtensionsPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-extensions', path: '', Component: ExtensionsPage },
    { name: 'app-extensions-extension', path: ':extensionId', Component: ExtensionPage },
  ],
})
