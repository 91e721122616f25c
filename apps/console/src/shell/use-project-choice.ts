import { type Project, projectEndpoints } from '@pult/contract'
import { callQuery } from '@pult/sdk/host'
import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '#platform/api.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { groupByOrganisation } from '../projects/group-by-organisation.ts'
import { useProjectList } from '../projects/project-list.queries.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { readRecentProjects } from './recent-projects.ts'
import { texts } from './shell.texts.ts'

export interface ProjectSection {
  title: string
  projects: readonly Project[]
}

/**
 * Returns the projects of the switcher: recent ones, then others by organisation, or the matches of a search. The digit
 * of a recent project is a search as well, and that project is its first match.
 */
export function useProjectChoice(search: string) {
  const list = useProjectList(search)
  const active = useActiveProject()
  const recent = useRecentProjects(active, useProjectList('').items)
  const typed = search.trim()
  // The active one has no digit.
  const byDigit = useMemo(() => recent.filter(({ _id }) => _id !== active?._id), [recent, active])
  const sections = useMemo((): readonly ProjectSection[] => {
    const known = typed === '' ? recent : byDigit.filter((_, index) => typed === String(index + 1))
    const ids = new Set(known.map(({ _id }) => _id))
    const others = (list.items ?? []).filter(({ _id }) => !ids.has(_id))
    return [
      { title: texts.recentProjects, projects: known },
      ...groupByOrganisation(others).map(({ label, projects }) => ({
        title: label ?? texts.privateProject,
        projects,
      })),
    ].filter(({ projects }) => projects.length > 0)
  }, [list.items, recent, byDigit, typed])
  return { ...list, sections, active, byDigit }
}

/** The active project, then the others that the user opened last and still has access to. */
function useRecentProjects(
  active: Project | null,
  listed: readonly Project[] | undefined,
): readonly Project[] {
  const { _id: personId } = useCredentials()
  const [ids] = useState(() => readRecentProjects(personId).filter((id) => id !== active?._id))
  const found = useQueries({
    queries: ids.map((projectId) =>
      callQuery(
        api,
        projectEndpoints.read,
        { params: { projectId } },
        // A listed project is already loaded.
        { enabled: listed !== undefined && !listed.some(({ _id }) => _id === projectId), retry: false },
      ),
    ),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(
    () =>
      [active, ...ids.map((id, at) => listed?.find(({ _id }) => _id === id) ?? found[at])].filter(
        (project) => project != null,
      ),
    [active, ids, listed, found],
  )
}
