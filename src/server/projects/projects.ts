import { basename } from 'node:path'
import {
  EnsoError,
  ensoLogger,
  type EnsoProject,
  type EnsoProjectRegistration,
  type EnsoProjectsState,
  type EnsoRefusal,
  refusal,
} from '../../core/index.js'
import { canonicalPath, projectIdOf } from '../../system/project-id.js'
import { askedFolder } from './asked-path.js'
import { browse, type Browsing } from './browse.js'
import { isFolder, rootOf } from './roots.js'
import type { ProjectsFile } from './state-file.js'

const log = ensoLogger('server', 'projects')

/** A registration that was carried out, or why it wasn't. */
export type Registering =
  | { readonly ok: true; readonly project: EnsoProject }
  | { readonly ok: false; readonly refusal: EnsoRefusal }

/** The folders threads may work in: the one the server was started in, and those registered under a declared root. */
export interface Projects {
  list(): readonly EnsoProject[]
  register(registration: EnsoProjectRegistration): Registering
  browse(path: string | undefined): Promise<Browsing>
  /**
   * The folder a new thread works in: the named project's, or the launch folder.
   * @throws EnsoError `bad-input` for a project that isn't known or whose folder is gone
   */
  folderFor(projectId: string | undefined): string
}

export interface ProjectsOptions {
  /** Canonical. */
  readonly launchDir: string
  /** Canonical. */
  readonly roots: readonly string[]
  readonly file: ProjectsFile
}

export function createProjects({ launchDir, roots, file }: ProjectsOptions): Projects {
  function registered(): EnsoProjectsState['projects'] {
    try {
      return file.read().projects
    } catch (error) {
      // Those that are registered can't be told; the launch folder still is one.
      log.warn('{error}', { error: (error as Error).message })
      return []
    }
  }

  function projectAt(path: string, title: string | undefined, launch: boolean): EnsoProject {
    // A link put in the folder's place leads somewhere else: what was registered is gone.
    const isThere = isFolder(path) && canonicalPath(path) === path
    return {
      projectId: projectIdOf(path),
      path,
      title: title ?? (basename(path) || path),
      launch,
      status: isThere ? 'ok' : 'missing-dir',
    }
  }

  function list(): readonly EnsoProject[] {
    const others = registered().filter(({ path }) => path !== launchDir && rootOf(roots, path) !== undefined)
    return [projectAt(launchDir, undefined, true), ...others.map(({ path, title }) => projectAt(path, title, false))]
  }

  function register({ path, title }: EnsoProjectRegistration): Registering {
    const asked = askedFolder(path, roots)
    if (!asked.ok) return asked
    if (asked.path === asked.root) {
      return { ok: false, refusal: refusal('refused', 'a project is a folder under a root, not the root itself') }
    }
    const before = file.read().projects.filter((project) => project.path !== asked.path)
    file.write({ projects: [...before, title === undefined ? { path: asked.path } : { path: asked.path, title }] })
    log.info('project {projectId} registered', { projectId: projectIdOf(asked.path) })
    return { ok: true, project: projectAt(asked.path, title, asked.path === launchDir) }
  }

  return {
    list,
    register,
    browse: (path) => {
      const ids = new Map(list().map((project) => [project.path, project.projectId]))
      return browse(path, roots, (folder) => ids.get(folder))
    },
    folderFor: (projectId) => {
      if (projectId === undefined) return launchDir
      const project = list().find((known) => known.projectId === projectId)
      if (project === undefined) throw new EnsoError('bad-input', `there is no project ${projectId}`)
      if (project.status === 'ok') return project.path
      throw new EnsoError('bad-input', `the folder of project ${project.title} is gone`)
    },
  }
}
