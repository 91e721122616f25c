import Bell from 'lucide-react/icons/bell'
import Blocks from 'lucide-react/icons/blocks'
import Building2 from 'lucide-react/icons/building-2'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleUser from 'lucide-react/icons/circle-user'
import Copy from 'lucide-react/icons/copy'
import ExternalLink from 'lucide-react/icons/external-link'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import House from 'lucide-react/icons/house'
import LogOut from 'lucide-react/icons/log-out'
import Plus from 'lucide-react/icons/plus'
import Settings2 from 'lucide-react/icons/settings-2'
import Shield from 'lucide-react/icons/shield'
import Trash2 from 'lucide-react/icons/trash-2'
import {
  Badge,
  Button,
  Card,
  IconButton,
  Menu,
  MenuItem,
  MenuSection,
  MenuSeparator,
  MenuTrigger,
  NavItem,
  NavList,
  PageHead,
  ProjectChip,
  StateChip,
  TextField,
} from '../../src/index.ts'
import { Group } from '../Specimen.tsx'
import styles from './ShellSection.module.css'

const projectColor = { '--project': '#c4500a' } as React.CSSProperties

export function ShellSection() {
  return (
    <Group title="Shell">
      <div className={styles.shell} style={projectColor}>
        <ShellHeader />
        <div className={styles.body}>
          <ShellNavigation />
          <div className={styles.content}>
            <PageHead
              title="Foyer Nord"
              text={
                <StateChip plain status="ok">
                  Online
                </StateChip>
              }
              actions={
                <Button variant="primary" icon={<Plus />}>
                  Create
                </Button>
              }
            />
            <Card title="Device">
              <TextField label="Label" defaultValue="Foyer Nord" />
              <TextField
                label="Tags"
                placeholder="Tag hinzufügen"
                description="Separate tags with a comma."
              />
              <div className={styles.bar}>
                <Button icon={<Copy />}>Duplicate</Button>
                <Button variant="danger-quiet" icon={<Trash2 />}>
                  Delete
                </Button>
                <Button variant="primary" shortcut="Mod+S" className={styles.save ?? ''}>
                  Save
                </Button>
              </div>
            </Card>
          </div>
        </div>
      </div>
    </Group>
  )
}

function ShellHeader() {
  return (
    <div className={styles.header}>
      <IconButton label="Home" icon={<House />} />
      <MenuTrigger>
        <Button variant="ghost" icon={<Blocks />}>
          Apps <ChevronDown />
        </Button>
        <Menu label="Apps">
          <MenuSection title="Projekt Messe 2026">
            <MenuItem icon={<FolderKanban />} href="#details">
              Project Details
            </MenuItem>
            <MenuItem icon={<Blocks />} href="#playlists">
              Playlists
            </MenuItem>
            <MenuItem icon={<Blocks />} href="#screens">
              Screens
            </MenuItem>
          </MenuSection>
        </Menu>
      </MenuTrigger>
      <ProjectChip label="Messe 2026" color="#c4500a" />
      <span className={styles.spring} />
      <Button icon={<Bell />}>
        Tasks <Badge count={3} label="3 tasks" />
      </Button>
      <MenuTrigger>
        <Button variant="ghost">
          ada@example.org <ChevronDown />
        </Button>
        <Menu label="Account" placement="bottom end">
          <MenuItem icon={<CircleUser />} href="#profile">
            Profile
          </MenuItem>
          <MenuItem icon={<Settings2 />} href="#device-settings">
            Device settings
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<LogOut />}>Logout</MenuItem>
        </Menu>
      </MenuTrigger>
    </div>
  )
}

function ShellNavigation() {
  return (
    <div className={styles.navigation}>
      <NavList label="Main">
        <NavItem icon={<CircleUser />} href="#profile">
          Profile
        </NavItem>
        <NavItem icon={<Building2 />} href="#organizations">
          Organizations
        </NavItem>
        <NavItem icon={<FolderKanban />} href="#projects">
          Projects
        </NavItem>
        <NavItem icon={<Shield />} href="#root">
          Root
        </NavItem>
        <NavItem icon={<Settings2 />} href="#device-settings" current>
          Device settings
        </NavItem>
        <NavItem icon={<LogOut />} onPress={() => undefined}>
          Logout
        </NavItem>
        <NavItem href="https://example.org/imprint" external end={<ExternalLink />}>
          Imprint
        </NavItem>
      </NavList>
    </div>
  )
}
