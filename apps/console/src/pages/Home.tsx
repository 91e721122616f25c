import { AppGrid } from '../extensions/AppGrid.tsx'
import { hasRole } from '../extensions/app-access.ts'
import { HomeCards } from '../extensions/HomeCards.tsx'
import { Refused } from '../extensions/Refused.tsx'
import { FirstSteps } from '../first-steps/FirstSteps.tsx'
import { HomePage } from '../home/HomePage.tsx'

const loadAbort = () => import('../tasks/use-abort-dialog.tsx')

/** Home with the parts of other rooms. */
export function Home() {
  return <HomePage {...{ AppGrid, FirstSteps, HomeCards, Refused, hasRole, loadAbort }} />
}
