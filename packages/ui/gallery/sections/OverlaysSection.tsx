import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import {
  Button,
  ConfirmDialog,
  Dialog,
  DialogActions,
  IconButton,
  Menu,
  MenuItem,
  MenuSection,
  MenuSeparator,
  MenuTrigger,
  Popover,
  TextField,
  type Toaster,
  type ToastMessage,
  Tooltip,
  type UnsavedInputGuard,
  UnsavedInputProvider,
} from '../../src/index.ts'
import { Group, Specimen } from '../Specimen.tsx'

const messages: ToastMessage[] = [
  { tone: 'success', title: 'Gespeichert', text: 'Foyer Nord' },
  { tone: 'info', title: 'Download wird vorbereitet ...' },
  { tone: 'warning', title: 'Timeout', text: 'Playlist-Export' },
  { tone: 'danger', title: 'Password change error', text: 'The current password is wrong.' },
]

const saved = 'Foyer Nord'

const guard: UnsavedInputGuard = {
  hold: () => {
    document.documentElement.dataset.unsaved = 'true'
    return () => {
      delete document.documentElement.dataset.unsaved
    }
  },
  question: {
    title: 'Leave without saving?',
    text: 'Your changes on this page are not saved.',
    discardLabel: 'Leave',
    keepLabel: 'Stay',
  },
}

export function OverlaysSection({ toaster }: { toaster: Toaster }) {
  const [deleting, setDeleting] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [renaming, setRenaming] = useState(false)
  const [label, setLabel] = useState(saved)
  const rename = () => {
    setLabel(saved)
    setRenaming(true)
  }
  const [explaining, setExplaining] = useState(false)
  const explain = useRef<HTMLButtonElement>(null)
  const [theme, setTheme] = useState('system')
  return (
    <Group title="Overlays">
      <Specimen caption="Menu and Tooltip">
        <MenuTrigger>
          <IconButton label="Actions" icon={<Ellipsis />} variant="secondary" />
          <Menu label="Actions">
            <MenuItem icon={<Pencil />} shortcut="Mod+E">
              Edit
            </MenuItem>
            <MenuItem icon={<Copy />} disabled>
              Duplicate
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} tone="danger" onAction={() => setDeleting(true)}>
              Delete
            </MenuItem>
          </Menu>
        </MenuTrigger>
        <MenuTrigger>
          <Button>Appearance</Button>
          <Menu
            label="Appearance"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => keys !== 'all' && setTheme(String([...keys][0]))}
          >
            <MenuSection title="Appearance">
              <MenuItem id="light">Light</MenuItem>
              <MenuItem id="dark">Dark</MenuItem>
              <MenuItem id="system" detail="Follows your device">
                System
              </MenuItem>
            </MenuSection>
          </Menu>
        </MenuTrigger>
        <Tooltip text="Shared with this project">
          <Button variant="ghost">Hover me</Button>
        </Tooltip>
      </Specimen>
      <Specimen caption="ConfirmDialog">
        <Button variant="danger-quiet" icon={<Trash2 />} onClick={() => setDeleting(true)}>
          Delete
        </Button>
        <Button onClick={() => setLeaving(true)}>Leave</Button>
      </Specimen>
      <Specimen caption="Dialog">
        <Button onClick={rename}>Rename</Button>
      </Specimen>
      <Specimen caption="Popover">
        <Button ref={explain} onClick={() => setExplaining(true)}>
          Explain
        </Button>
        <Popover anchor={explain} open={explaining} label="Explanation" onClose={() => setExplaining(false)}>
          The agent reports every ten seconds.
        </Popover>
      </Specimen>
      <Specimen caption="Toasts">
        {messages.map((message) => (
          <Button key={message.tone} onClick={() => toaster.add(message)}>
            {message.tone}
          </Button>
        ))}
      </Specimen>
      <ConfirmDialog
        open={deleting}
        title="Really delete?"
        confirmLabel="Delete"
        cancelLabel="Cancel"
        destructive
        onConfirm={() => setDeleting(false)}
        onCancel={() => setDeleting(false)}
      >
        Foyer Nord
      </ConfirmDialog>
      <ConfirmDialog
        open={leaving}
        title="Leave without saving?"
        confirmLabel="Leave"
        cancelLabel="Stay"
        onConfirm={() => setLeaving(false)}
        onCancel={() => setLeaving(false)}
      >
        Your changes to Foyer Nord are not saved.
      </ConfirmDialog>
      <UnsavedInputProvider value={guard}>
        <Dialog open={renaming} title="Rename" unsaved={label !== saved} onClose={() => setRenaming(false)}>
          <form onSubmit={(event) => event.preventDefault()}>
            <TextField
              label="Label"
              value={label}
              onChange={({ target }) => setLabel(target.value)}
              autoFocus
            />
            <DialogActions>
              <Button onClick={() => setRenaming(false)}>Cancel</Button>
              <Button type="submit" variant="primary" onClick={() => setRenaming(false)}>
                Save
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      </UnsavedInputProvider>
    </Group>
  )
}
