import type pg from 'pg'

const isVisible = `(p.owner_id = $1 or o.owner_id = $1
  or exists (select 1 from project_grant g where g.project_id = p.id and g.person_id = $1))`

const page = `
  select p.id as "_id", p.label, p.organisation_id as org, o.label as "orgLabel", p.owner_id as owner, p.products,
    p.meta, p.config, p.created_at as "createdAt", p.revision, p.updated_at as "updatedAt",
    null as "updatedBy", false as "isDefault",
    case when p.owner_id = $1 then 'owner' when o.owner_id = $1 then 'organisation-owner' else 'grant' end as access,
    (select coalesce(json_agg(json_build_object(
        '_id', g.id, 'user', g.person_id, 'name', holder.firstname || ' ' || holder.lastname,
        'productRole', g.product_role)), '[]')
      from project_grant g join person holder on holder.id = g.person_id where g.project_id = p.id) as grants
  from project p left join organisation o on o.id = p.organisation_id
  where ${isVisible}
  order by p.id limit 50`

const total = `
  select count(*)::int as total
  from project p left join organisation o on o.id = p.organisation_id where ${isVisible}`

/** Returns a user's first 50 visible projects and their number, each by one prepared statement. */
export async function listProjects(pool: pg.Pool, personId: string): Promise<unknown> {
  const [projects, counted] = await Promise.all([
    pool.query({ name: 'projects', text: page, values: [personId] }),
    pool.query<{ total: number }>({ name: 'project-total', text: total, values: [personId] }),
  ])
  return { items: projects.rows, total: counted.rows[0]?.total }
}
