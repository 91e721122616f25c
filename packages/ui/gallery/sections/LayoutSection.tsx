import Monitor from 'lucide-react/icons/monitor'
import Plus from 'lucide-react/icons/plus'
import { Badge, Button, Card, NavItem, NavList, PageHead, ScrollRegion, StateChip } from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

export function LayoutSection() {
  return (
    <Group title="Layout">
      <PageHead
        title="Organizations"
        text="Projects may belong to one of them, or be private."
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
        <Card
          title="Plain card"
          actions={
            <StateChip plain status="stopped">
              Offline
            </StateChip>
          }
        >
          <p>A surface that holds what belongs together.</p>
        </Card>
      </div>
      <Specimen caption="ScrollRegion: takes the focus, so that the keyboard scrolls it" column>
        <ScrollRegion as="pre" role="log" aria-label="Log" className={styles.log}>
          {Array.from({ length: 12 }, (_, line) => `Line ${line + 1}`).join('\n')}
        </ScrollRegion>
      </Specimen>
    </Group>
  )
}
