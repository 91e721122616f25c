import { defineApp, redirectTo } from '@pult/sdk'
import { AccountPage } from './AccountPage.tsx'
import { AccountsPage, InvitePage } from './AccountsPage.tsx'

export default defineApp({
  routes: [
    { name: 'app-accounts', path: '', Component: AccountsPage },
    { name: 'app-accounts-create', path: 'create', Component: InvitePage },
    { name: 'app-accounts-account', path: 'edit/:accountId', Component: AccountPage },
    {
      name: 'app-accounts-old-account',
      path: ':accountId',
      Component: redirectTo(({ accountId }) => `edit/${accountId}`),
    },
  ],
})
