import { defineApp } from '@pult/sdk'
import { AccountPage } from './AccountPage.tsx'
import { AccountsPage } from './AccountsPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-accounts', path: '', Component: AccountsPage },
    { name: 'app-accounts-account', path: ':accountId', Component: AccountPage },
  ],
})
