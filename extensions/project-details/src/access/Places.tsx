import { Loaded } from '@pult/sdk/resource'
import { StateChip } from '@pult/sdk/ui'
import { useAccess, useProjectApps } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Access.module.css'

/** A target of access: the project, one of its apps, or a tab of an app. */
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

/** Number of apps above which only the tabs of the selected app are queried. */
const shownWithTabs = 8

/** Lists all targets in the project and shows whether the person can open them. */
export function Places({ personId, chosen, onChoose }: PlacesProps) {
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
    <Loaded query={useProjectApps()} failed={texts.appsFailed}>
      {(apps) => (
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
      )}
    </Loaded>
  )
}

interface PlaceButtonProps {
  personId: string
  place: Place
  /** Label of the target below its app. */
  short: string
  isChosen: boolean
  onChoose: () => void
}

function PlaceButton({ personId, place, short, isChosen, onChoose }: PlaceButtonProps) {
  const { data: access } = useAccess(personId, place)
  return (
    <button type="button" className={styles.place} aria-pressed={isChosen} onClick={onChoose}>
      <span className={styles.placeLabel}>{short}</span>
      {access && (
        <StateChip plain status={access.allowed ? 'ok' : 'failed'}>
          {access.allowed ? texts.can : texts.cannot}
        </StateChip>
      )}
    </button>
  )
}
