import { defineApp } from '@pult/sdk'
import { AuditPage } from './AuditPage.tsx'

export default defineApp({ routes: [{ name: 'app-audit', path: '', Component: AuditPage }] })
