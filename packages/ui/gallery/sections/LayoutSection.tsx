import Monitor from 'lucide-react/icons/monitor'
import Plus from 'lucide-react/icons/plus'
import { Badge, Button, Card, NavItem, NavList, PageHeader, StatusDot } from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group } from '../Specimen.tsx'

export function LayoutSection() {
  return (
    <Group title="Layout">
      <PageHeader
        title="Organizations"
        description="Projects may belong to one of them, or be private."
        actions={
          <>
            <Button>Import</Button>
            <Button variant="primary" icon={<Plus />}>
              Create
            </Button>
          </>
        }
      />
      <div className={styles.pair}>
        <Card title="Stream Decks" actions={<Button icon={<Plus />}>Create</Button>}>
          <NavList label="Stream Decks">
            <NavItem href="#foyer" detail="stream-deck, neu" current>
              Foyer Nord
            </NavItem>
            <NavItem href="#kasse" detail="signage, indoor">
              Kasse 1
            </NavItem>
            <NavItem
              href="#leitstand"
              detail="A second line that is much too long for the narrow column it stands in"
            >
              Leitstand mit einem sehr langen Namen, der nicht in die Spalte passt
            </NavItem>
            <NavItem href="#labor" icon={<Monitor />} end={<Badge count={2} label="2 notices" />}>
              Labor
            </NavItem>
          </NavList>
        </Card>
        <Card title="Plain card" actions={<StatusDot status="neutral">Offline</StatusDot>}>
          <p>A surface that holds what belongs together.</p>
        </Card>
      </div>
    </Group>
  )
}
