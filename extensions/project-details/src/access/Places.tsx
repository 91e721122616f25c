import { Waiting } from '@pult/sdk/resource'
import { StatusDot } from '@pult/sdk/ui'
import { useAccess, useProjectApps } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Access.module.css'

/** What somebody may want to open: the project, one of its apps, a tab of that. */
export interface Place {
  label: string
  app?: string
  tab?: string
}

interface PlacesProps {
  personId: string
  chosen: Place
  onChoose: (place: Place) => void
}

/** Where there are more apps, the tabs of the chosen one are asked about alone. */
const shownWithTabs = 8

/** Everything there is to open in the project, each with whether the person can. */
export function Places({ personId, chosen, onChoose }: PlacesProps) {
  const { data: apps, error, refetch } = useProjectApps()
  if (apps === undefined)
    return <Waiting failed={texts.appsFailed} error={error} onRetry={() => void refetch()} />
  const button = (place: Place, short = place.label) => (
    <PlaceButton
      personId={personId}
      place={place}
      short={short}
      isChosen={place.app === chosen.app && place.tab === chosen.tab}
      onChoose={() => onChoose(place)}
    />
  )
  return (
    <ul className={styles.places} aria-label={texts.whatToOpen}>
      <li>{button({ label: texts.theProject })}</li>
      {apps.map(({ id, label, tabs = [] }) => (
        <li key={id}>
          {button({ label, app: id })}
          {tabs.length > 0 && (apps.length <= shownWithTabs || id === chosen.app) && (
            <ul className={styles.tabs}>
              {tabs.map((tab) => (
                <li key={tab.id}>
                  {button({ label: texts.appPart(label, tab.label), app: id, tab: tab.id }, tab.label)}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

interface PlaceButtonProps {
  personId: string
  place: Place
  /** What it is called below its app. */
  short: string
  isChosen: boolean
  onChoose: () => void
}

function PlaceButton({ personId, place: { app, tab }, short, isChosen, onChoose }: PlaceButtonProps) {
  const { data: access } = useAccess(personId, askedFor(app, tab))
  return (
    <button type="button" className={styles.place} aria-pressed={isChosen} onClick={onChoose}>
      <span className={styles.placeLabel}>{short}</span>
      {access && (
        <StatusDot status={access.allowed ? 'success' : 'danger'}>
          {access.allowed ? texts.can : texts.cannot}
        </StatusDot>
      )}
    </button>
  )
}

/** As the server is asked. */
export const askedFor = (app: string | undefined, tab: string | undefined) => ({
  ...(app !== undefined && { app }),
  ...(tab !== undefined && { tab }),
})
