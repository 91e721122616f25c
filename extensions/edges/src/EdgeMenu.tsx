import { useAppNavigate } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { IconButton, Menu, MenuItem, MenuTrigger } from '@pult/sdk/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import KeyRound from 'lucide-react/icons/key-round'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Server from 'lucide-react/icons/server'
import Stethoscope from 'lucide-react/icons/stethoscope'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { isConnected } from './fleet-state.ts'

export interface EdgeMenuActions {
  onDiagnose: (edges: readonly Edge[]) => void
  onRestart: (edges: readonly Edge[]) => void
  onNewCode: (edge: Edge) => void
}

/** The actions of one edge in the list. The restart of its agent takes one press. */
export function EdgeMenu({ edge, onDiagnose, onRestart, onNewCode }: EdgeMenuActions & { edge: Edge }) {
  const navigate = useAppNavigate()
  const isOffline = !isConnected(edge)
  return (
    <span className={styles.rowActions}>
      {!isOffline && (
        <IconButton
          label={texts.restartOf(edge.label)}
          icon={<RotateCcw />}
          onClick={() => onRestart([edge])}
        />
      )}
      <MenuTrigger>
        <IconButton label={texts.actionsOf(edge.label)} icon={<Ellipsis />} />
        <Menu placement="bottom end">
          <MenuItem icon={<Server />} onAction={() => navigate(`edit/${edge._id}`)}>
            {texts.open}
          </MenuItem>
          {edge.state === 'enrolling' ? (
            <MenuItem icon={<KeyRound />} onAction={() => onNewCode(edge)}>
              {texts.showCommand}
            </MenuItem>
          ) : (
            <>
              <MenuItem icon={<Stethoscope />} disabled={isOffline} onAction={() => onDiagnose([edge])}>
                {texts.diagnose}
              </MenuItem>
              <MenuItem icon={<RotateCcw />} disabled={isOffline} onAction={() => onRestart([edge])}>
                {texts.restart}
              </MenuItem>
            </>
          )}
        </Menu>
      </MenuTrigger>
    </span>
  )
}
