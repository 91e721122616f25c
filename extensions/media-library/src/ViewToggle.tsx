import { IconButton } from '@pult/sdk/ui'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import List from 'lucide-react/icons/list'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

interface ViewToggleProps {
  view: string
  onChange: (view: 'grid' | 'list') => void
}

export function ViewToggle({ view, onChange }: ViewToggleProps) {
  const isList = view === 'list'
  return (
    <div className={styles.toggle} role="group" aria-label={texts.view}>
      <IconButton
        label={texts.grid}
        icon={<LayoutGrid aria-hidden="true" />}
        aria-pressed={!isList}
        onClick={() => onChange('grid')}
      />
      <IconButton
        label={texts.list}
        icon={<List aria-hidden="true" />}
        aria-pressed={isList}
        onClick={() => onChange('list')}
      />
    </div>
  )
}
