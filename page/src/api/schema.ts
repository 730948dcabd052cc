// Made by scripts/page-types.ts from the server's OpenAPI document.
export interface paths {
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log, newest first
         * @description an extension; for role admin
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One's own downloads, newest first
         * @description an extension; for role user or higher
         */
        get: operations["getAuthDownloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange username and password for a token
         * @description endpoint 1; for everyone
         */
        post: operations["postAuthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the presented token
         * @description endpoint 3; for everyone
         */
        post: operations["postAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current user
         * @description endpoint 2; for role user or higher
         */
        get: operations["getAuthMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one's own password
         * @description an extension; for role user or higher
         */
        post: operations["postAuthPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One's own tokens, newest first
         * @description an extension; for role user or higher
         */
        get: operations["getAuthTokens"];
        put?: never;
        /**
         * Create a further token for a program; its value is shown once
         * @description an extension; for role user or higher
         */
        post: operations["postAuthTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of one's own tokens
         * @description an extension; for role user or higher
         */
        delete: operations["deleteAuthTokensId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cover/{release_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cover of a release
         * @description endpoint 13; for everyone
         */
        get: operations["getCoverReleaseId"];
        put?: never;
        /**
         * Upload the cover of a release, replacing any
         * @description endpoint 14; for role editor or higher
         */
        post: operations["postCoverReleaseId"];
        /**
         * Remove the cover of a release
         * @description endpoint 15; for role editor or higher
         */
        delete: operations["deleteCoverReleaseId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sizes of the store, the downloads of 90 days, and the newest job of each kind
         * @description an extension; for role admin
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One's own devices, newest first
         * @description an extension; for role user or higher
         */
        get: operations["getDevices"];
        put?: never;
        /**
         * Create a URL at which a device reads a set; it is shown once
         * @description an extension; for role user or higher
         */
        post: operations["postDevices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/devices/{device_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the URL of one of one's own devices
         * @description an extension; for role user or higher
         */
        delete: operations["deleteDevicesDeviceId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The downloads of all users, newest first
         * @description an extension; for role admin
         */
        get: operations["getDownloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of releases that a filter finds, by the values of each part of the filter
         * @description an extension; for everyone
         */
        get: operations["getFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{group_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put releases into a group
         * @description an extension; for role editor or higher
         */
        post: operations["postGroupsGroupIdJoin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{group_id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put releases of a group into a group of their own
         * @description an extension; for role editor or higher
         */
        post: operations["postGroupsGroupIdSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service can read its database
         * @description an extension; for everyone
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether writes would succeed, checked at most once a second; `not_ready` of a 503 lists the parts that are not ready
         * @description an extension; for everyone
         */
        get: operations["getHealthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The history of imports, newest first
         * @description an extension; for role editor or higher
         */
        get: operations["getImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{import_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One import with the first names of each kind
         * @description an extension; for role editor or higher
         */
        get: operations["getImportsImportId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs, newest first
         * @description an extension; for role editor or higher
         */
        get: operations["getJobs"];
        put?: never;
        /**
         * Start a job
         * @description an extension; for role editor or higher
         */
        post: operations["postJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One job with its options and its report
         * @description an extension; for role editor or higher
         */
        get: operations["getJobsJobId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a job to stop; does nothing if the job has ended
         * @description an extension; for role editor or higher
         */
        post: operations["postJobsJobIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The position of each first character in the list that a filter finds
         * @description an extension; for everyone
         */
        get: operations["getLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The files that were found below the library roots, by name
         * @description an extension; for role user or higher
         */
        get: operations["getLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The data read from a file of the library, and the reasons why it has its release
         * @description an extension; for role user or higher
         */
        get: operations["getLibraryFileId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/{file_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of the library, as it is on the disk
         * @description an extension; for role user or higher
         */
        get: operations["getLibraryFileIdDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/{file_id}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose the release of a file, or take the choice back
         * @description an extension; for role editor or higher
         */
        post: operations["postLibraryFileIdMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/alike": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rules by which a release was chosen instead of others, and the other files that they decide
         * @description an extension; for role editor or higher
         */
        get: operations["getLibraryAlike"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose the releases of several files at once, or take the choices back
         * @description an extension; for role editor or higher
         */
        post: operations["postLibraryMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The releases whose files were added to the library last, newest first
         * @description an extension; for role user or higher
         */
        get: operations["getLibraryRecent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/roots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The folders that are scanned, by path
         * @description an extension; for role editor or higher
         */
        get: operations["getLibraryRoots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The platforms, with the number of their releases in the library, by name
         * @description an extension; for role user or higher
         */
        get: operations["getPlatforms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platforms/{platform_id}/missing.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The releases of a platform that the library lacks, as CSV, by name
         * @description an extension; for role user or higher
         */
        get: operations["getPlatformsPlatformIdMissingCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/platforms/{platform_id}/missing.dat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The releases of a platform that the library lacks, as a DAT in Logiqx XML, by name
         * @description an extension; for role user or higher
         */
        get: operations["getPlatformsPlatformIdMissingDat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The devices and front ends that a set can be exported for
         * @description an extension; for role user or higher
         */
        get: operations["getProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search releases
         * @description endpoint 10; for everyone
         */
        get: operations["getReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{release_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One release with its ROMs and metadata
         * @description endpoint 11; for everyone
         */
        get: operations["getReleasesReleaseId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a release and its metadata
         * @description endpoint 12; for role editor or higher
         */
        patch: operations["patchReleasesReleaseId"];
        trace?: never;
    };
    "/api/releases/{release_id}/archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The archives that are named like a release, by name
         * @description an extension; for everyone
         */
        get: operations["getReleasesReleaseIdArchives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{release_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all files of the library that a release was matched with, as a zip
         * @description an extension; for role user or higher
         */
        get: operations["getReleasesReleaseIdDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{release_id}/edits/{field}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back the edit of a field, so that imports set it again
         * @description an extension; for role editor or higher
         */
        delete: operations["deleteReleasesReleaseIdEditsField"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{release_id}/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The group of a release: all editions of the game on its platform
         * @description an extension; for everyone
         */
        get: operations["getReleasesReleaseIdGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{release_id}/library": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The files of the library that a release was matched with, by name
         * @description an extension; for role user or higher
         */
        get: operations["getReleasesReleaseIdLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The schedules of jobs
         * @description an extension; for role editor or higher
         */
        get: operations["getSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the schedule of a kind of job
         * @description an extension; for role admin
         */
        patch: operations["patchSchedulesKind"];
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current user, and public facts about the server
         * @description an extension; for everyone
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One's own sets and the shared ones, by name
         * @description an extension; for role user or higher
         */
        get: operations["getSets"];
        put?: never;
        /**
         * Save a set; a shared one needs the role editor
         * @description an extension; for role user or higher
         */
        post: operations["postSets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets/{set_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One set
         * @description an extension; for role user or higher
         */
        get: operations["getSetsSetId"];
        put?: never;
        post?: never;
        /**
         * Delete a set; a shared one needs the role editor
         * @description an extension; for role user or higher
         */
        delete: operations["deleteSetsSetId"];
        options?: never;
        head?: never;
        /**
         * Change a set; a shared one needs the role editor
         * @description an extension; for role user or higher
         */
        patch: operations["patchSetsSetId"];
        trace?: never;
    };
    "/api/sets/{set_id}/explain/{release_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why a release is in a set or not
         * @description an extension; for role user or higher
         */
        get: operations["getSetsSetIdExplainReleaseId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets/{set_id}/export/{profile}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A set for a device: metadata, playlists and pictures of its games, as a zip
         * @description an extension; for role user or higher
         */
        get: operations["getSetsSetIdExportProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets/{set_id}/left-out/{profile}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The files that an export of a set leaves out, with the reasons
         * @description an extension; for role user or higher
         */
        get: operations["getSetsSetIdLeftOutProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets/{set_id}/missing.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The releases of a set that the library lacks, as CSV, by name
         * @description an extension; for role user or higher
         */
        get: operations["getSetsSetIdMissingCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets/{set_id}/missing.dat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The releases of a set that the library lacks, as a DAT in Logiqx XML, by name
         * @description an extension; for role user or higher
         */
        get: operations["getSetsSetIdMissingDat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sets/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The number of releases that a set would have, and the first twelve of them by title
         * @description an extension; for role user or higher
         */
        post: operations["postSetsPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts and the newest downloads
         * @description endpoint 20; for role admin
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The archives of an area, by name
         * @description endpoint 16; for everyone
         */
        get: operations["getStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/store/{system}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an archive
         * @description endpoint 19; for role editor or higher
         */
        delete: operations["deleteStoreSystemName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/store/download/{system}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an archive
         * @description endpoint 17; for role user or higher
         */
        get: operations["getStoreDownloadSystemName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/store/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an archive, replacing one of the same name
         * @description endpoint 18; for role editor or higher
         */
        post: operations["postStoreUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The folders in which jobs can build trees, by name
         * @description an extension; for role editor or higher
         */
        get: operations["getTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One's own uploads, newest first; for an admin all
         * @description an extension; for role editor or higher
         */
        get: operations["getUploads"];
        put?: never;
        /**
         * Begin an upload (tus: creation)
         * @description an extension; for role editor or higher
         */
        post: operations["postUploads"];
        delete?: never;
        /**
         * The parts of tus that the server supports
         * @description an extension; for role editor or higher
         */
        options: operations["optionsUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One upload with its chunks; HEAD returns its offset (tus)
         * @description an extension; for role editor or higher
         */
        get: operations["getUploadsUploadId"];
        put?: never;
        post?: never;
        /**
         * End an upload (tus: termination); an archive that was made of it stays
         * @description an extension; for role editor or higher
         */
        delete: operations["deleteUploadsUploadId"];
        /**
         * The parts of tus that the server supports, for an upload
         * @description an extension; for role editor or higher
         */
        options: operations["optionsUploadsUploadId"];
        head?: never;
        /**
         * Send the next chunk of an upload, at most 64 MiB (tus)
         * @description an extension; for role editor or higher
         */
        patch: operations["patchUploadsUploadId"];
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All users, by username
         * @description endpoint 4; for role admin
         */
        get: operations["getUsers"];
        put?: never;
        /**
         * Create a user
         * @description endpoint 5; for role admin
         */
        post: operations["postUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user and their tokens
         * @description endpoint 7; for role admin
         */
        delete: operations["deleteUsersUserId"];
        options?: never;
        head?: never;
        /**
         * Change a user's role, state or password
         * @description endpoint 6; for role admin
         */
        patch: operations["patchUsersUserId"];
        trace?: never;
    };
    "/api/users/{user_id}/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The devices of a user, newest first
         * @description an extension; for role admin
         */
        get: operations["getUsersUserIdDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/devices/{device_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the URL of a device of a user
         * @description an extension; for role admin
         */
        delete: operations["deleteUsersUserIdDevicesDeviceId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tokens of a user, newest first
         * @description endpoint 8; for role admin
         */
        get: operations["getUsersUserIdTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token of a user
         * @description endpoint 9; for role admin
         */
        delete: operations["deleteUsersUserIdTokensTokenId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Archive: {
            filename: string;
            /** @description nanoseconds since 1970; exceeds 2^53 */
            mtime_ns: number;
            name: string;
            /** @description with `include=release`: the release whose name it has */
            release?: {
                id: number;
                name: string;
            } | null;
            sha256?: string | null;
            size: number;
            system: string;
        };
        /** @description a device that reads the files of a set */
        Device: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            expires_at: string | null;
            id: number;
            last_file: string | null;
            last_file_at: string | null;
            last_used_at: string | null;
            name: string;
            profile: string;
            set: {
                id: number;
                name: string;
            };
        };
        /** @description a field that was edited by hand */
        Edit: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            edited_at: string;
            /** @enum {string} */
            field: "name" | "region" | "serial" | "description" | "title" | "release_date" | "developer" | "publisher" | "genre" | "synopsis";
            imported: string | null;
        };
        Error: {
            detail: string;
        };
        LibraryFile: {
            id: number;
            /**
             * @description how the file was matched
             * @enum {string}
             */
            method: "sha1" | "md5" | "crc32" | "serial" | "name" | "manual";
            name: string;
            /** @description only for editors */
            path?: string;
            rom: string | null;
            /** @description size of the file in bytes */
            size: number;
        };
        /** @description empty when no record exists */
        Metadata: {
            developer?: string;
            /** @description with `include=franchise` */
            franchise?: string;
            genre?: string;
            manual?: boolean;
            publisher?: string;
            release_date?: string;
            synopsis?: string;
            title?: string;
        };
        NotReady: {
            detail: string;
            not_ready?: ("database" | "schema" | "files" | "tmp")[];
        };
        Release: {
            /** @description always `/api/cover/<id>` */
            cover: string;
            cover_tag?: string | null;
            description: string;
            /** @description with `include=edits` */
            edits?: components["schemas"]["Edit"][];
            id: number;
            meta: components["schemas"]["Metadata"];
            name: string;
            /** @description with `include=platform` */
            platform?: string;
            region: string;
            /** @description with `include=region`: the regions as a list */
            regions?: string[];
            roms: components["schemas"]["Rom"][];
            serial: string;
            /** @description with `include=sources` */
            sources?: components["schemas"]["Source"][];
            system: string;
        };
        ReleaseListItem: {
            /** @description always `/api/cover/<id>` */
            cover: string;
            cover_tag?: string | null;
            id: number;
            name: string;
            /** @description with `include=owned`, for users: the strongest evidence that the library has it, or `stored` if only the store has an archive named like it; null otherwise */
            owned?: ("verified" | "manual" | "serial" | "name" | "stored") | null;
            /** @description with `include=platform` */
            platform?: string;
            region: string;
            /** @description with `include=region`: the regions as a list */
            regions?: string[];
            serial: string;
            system: string;
        };
        Rom: {
            crc32: string;
            md5: string;
            name: string;
            serial: string;
            sha1: string;
            size: number;
        };
        Set: {
            /** @description number of its releases; null if they are not counted yet */
            count: number | null;
            id: number;
            name: string;
            owner: string | null;
            /** @description the editions of games that the set contains; null for all that the rule selects */
            prefer: {
                /**
                 * @description `library`: only editions with at least one disc in the library
                 * @default catalogue
                 * @enum {string}
                 */
                among: "catalogue" | "library";
                /**
                 * @description tags such as `Demo`; an edition with such a tag is chosen only if there is no other
                 * @default []
                 */
                avoid: string[];
                /**
                 * @description codes such as `En`, best first
                 * @default []
                 */
                languages: string[];
                /**
                 * @description true for one edition of each game, false for all
                 * @default true
                 */
                one_per_game: boolean;
                /**
                 * @description best first
                 * @default []
                 */
                regions: string[];
                /**
                 * @default newest
                 * @enum {string}
                 */
                revision: "newest" | "oldest";
            } | null;
            /** @description a group, `{"all": [rule]}`, `{"any": [rule]}` or `{"not": rule}`, or a condition such as `{"field": "platform", "is": "Sony - PlayStation"}` with `is`, `in`, `contains`, or `from` and `to` */
            rule: {
                [key: string]: unknown;
            };
            /** @description true if all users see it */
            shared: boolean;
        };
        /** @description the data of one source about a release */
        Source: {
            description: string;
            /** @description the newest DAT of the source no longer contains the release */
            gone: boolean;
            id: number;
            name: string;
            region: string;
            serial: string;
            /** @description true if the release shows this row, except for edited fields */
            shown: boolean;
            /** @description the name of the source, else that of its DAT */
            source: string;
        };
        Token: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /** @description with `include=current` of one's own: whether it is the token of this request */
            current?: boolean;
            expires_at: string | null;
            id: number;
            /** @enum {string} */
            kind: "api" | "web";
            label: string;
            last_used_at: string | null;
            revoked_at: string | null;
        };
        User: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            id: number;
            /**
             * @description 1 = active, 0 = inactive
             * @enum {integer}
             */
            is_active: 0 | 1;
            last_login_at: string | null;
            /** @enum {string} */
            role: "admin" | "editor" | "user";
            username: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAudit: {
        parameters: {
            query?: {
                /** @description only this action, compared exactly, such as `release.edit`; empty for all */
                action?: string;
                /** @description only those with a lower id; absent: starts with the newest */
                before?: number;
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description only this target, compared exactly, such as `release/12`; empty for all */
                target?: string;
                /** @description only this user name, compared exactly; empty for all */
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit log, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            action: string;
                            /** @description null unless a user acted over HTTP */
                            address: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            at: string;
                            /** @description what changed; depends on the action */
                            detail: {
                                [key: string]: unknown;
                            } | null;
                            id: number;
                            /** @enum {string} */
                            kind: "user" | "cli" | "system";
                            target: string;
                            /** @description for the command line the account of the machine; null for the system */
                            username: string | null;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAuthDownloads: {
        parameters: {
            query?: {
                /** @description only those with a lower id; absent: starts with the newest */
                before?: number;
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description only this file name, compared exactly; empty for all */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One's own downloads, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            bytes: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            created_at: string;
                            id: number;
                            /**
                             * @description `archive`: a file of the store; `library`: a file of the library; `stream`: a file that a device read, once an hour
                             * @enum {string}
                             */
                            kind: "archive" | "library" | "stream";
                            name: string;
                            /** @description the area of an archive, or the system of the root of a library file */
                            system: string;
                            /** @description null when the user no longer exists or was not recorded */
                            username: string | null;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postAuthLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description true to get the token as a cookie too, for a web page */
                    cookie?: boolean;
                    password?: string | null;
                    username?: string | null;
                };
            };
        };
        responses: {
            /** @description Exchange username and password for a token */
            200: {
                headers: {
                    /** @description the token, when `cookie` is true */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        role: "admin" | "editor" | "user";
                        token: string;
                        user_id: number;
                        username: string;
                    };
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `Invalid username or password` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too many attempts` */
            429: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke the presented token */
            200: {
                headers: {
                    /** @description removes the cookie that was sent */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAuthMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postAuthPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    current?: string | null;
                    new?: string | null;
                    /** @description true revokes one's other tokens in the same transaction */
                    revoke_others?: boolean;
                };
            };
        };
        responses: {
            /** @description Change one's own password */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `wrong password`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too many attempts` */
            429: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAuthTokens: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `current` (extension) */
                include?: string;
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One's own tokens, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Token"][];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `include: there is no field <field>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postAuthTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description 0 for no expiry; absent: the lifetime of a login */
                    expires_in_days?: number | null;
                    label?: string | null;
                };
            };
        };
        responses: {
            /** @description Create a further token for a program; its value is shown once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expires_at: string | null;
                        id: number;
                        label: string;
                        token: string;
                    };
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too many tokens` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAuthTokensId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke one of one's own tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCoverReleaseId: {
        parameters: {
            query?: {
                /** @description the release's `cover_tag`: while it is current, browsers cache the response for a year (extension) */
                tag?: string;
                /** @description in pixels: returns WebP in the next larger width of 160, 320 and 640, never enlarged; absent for the stored bytes (extension) */
                width?: number;
            };
            header?: {
                /** @description the `Last-Modified` of the known version */
                "If-Modified-Since"?: string;
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
                /** @description the `ETag` or `Last-Modified` to which the range belongs */
                "If-Range"?: string;
                /** @description one range, such as `bytes=0-1023` */
                Range?: string;
            };
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cover of a release */
            200: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description the requested range */
            206: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description `bytes <first>-<last>/<size>` */
                    "Content-Range": string;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found`, `no cover available` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description a range outside the file */
            416: {
                headers: {
                    /** @description `bytes *\/<size>` */
                    "Content-Range": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postCoverReleaseId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description the file part
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Upload the cover of a release, replacing any */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        url: string;
                    };
                };
            };
            /** @description `bad request`, `image too large`, `malformed multipart body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `file: file part is required` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteCoverReleaseId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove the cover of a release */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sizes of the store, the downloads of 90 days, and the newest job of each kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the areas of the store */
                        areas: {
                            bytes: number;
                            files: number;
                            system: string;
                        }[];
                        /** @description number of files in the covers folder tree */
                        covers: number;
                        /** @description each of the last 90 days, oldest first */
                        downloads: {
                            bytes: number;
                            count: number;
                            /** @description UTC */
                            day: string;
                        }[];
                        /** @description free space on the file system of the data folder */
                        free_bytes: number;
                        /** @description ordered by kind */
                        jobs: {
                            /** @description the current attempt, or the one that the job waits for; from 1 */
                            attempt: number;
                            /** @description maximum number of attempts; 1 for a job of a command */
                            attempts: number;
                            finished_at: string | null;
                            id: number;
                            kind: string;
                            /** @description written at most once a second; null until the job reports progress */
                            progress: {
                                done: number;
                                /** @description the file, release or table that is being processed; may be empty */
                                name: string;
                                /** @description one word; the numbers start again with each new phase */
                                phase: string;
                                /** @description 0 if it is not known */
                                total: number;
                                /** @enum {string} */
                                unit: "bytes" | "files" | "releases" | "images" | "covers" | "rows";
                            } | null;
                            /** @description why the job failed, was stopped or interrupted, or why its last attempt ended; null otherwise. A long text is cut; the report has all of it */
                            reason: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            started_at: string;
                            /** @description a user name, or the account of the machine; null for a schedule */
                            started_by: string | null;
                            /** @enum {string} */
                            state: "queued" | "running" | "done" | "failed" | "stopped" | "interrupted";
                            /** @description true if the job runs and was asked to stop */
                            stopping: boolean;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDevices: {
        parameters: {
            query?: {
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One's own devices, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Device"][];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description 0 for no expiry; absent: one year */
                    expires_in_days?: number | null;
                    name?: string | null;
                    profile?: string | null;
                    set_id?: number | null;
                };
            };
        };
        responses: {
            /** @description Create a URL at which a device reads a set; it is shown once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        device: components["schemas"]["Device"];
                        /** @description path of the URL, with its secret: `/play/<secret>/<profile>/` */
                        path: string;
                    };
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found`, `no such profile` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too many devices` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `name: <problem>`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDevicesDeviceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke the URL of one of one's own devices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDownloads: {
        parameters: {
            query?: {
                /** @description only those with a lower id; absent: starts with the newest */
                before?: number;
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description only this file name, compared exactly; empty for all */
                name?: string;
                /** @description only this user, compared exactly; empty for all */
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The downloads of all users, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            bytes: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            created_at: string;
                            id: number;
                            /**
                             * @description `archive`: a file of the store; `library`: a file of the library; `stream`: a file that a device read, once an hour
                             * @enum {string}
                             */
                            kind: "archive" | "library" | "stream";
                            name: string;
                            /** @description the area of an archive, or the system of the root of a library file */
                            system: string;
                            /** @description null when the user no longer exists or was not recorded */
                            username: string | null;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFacets: {
        parameters: {
            query?: {
                /** @description only releases with a cover, or without one (extension) */
                cover?: "" | "have" | "missing";
                /** @description the genre, compared exactly; several values are separated by `|`; a `|` in a value is doubled (extension) */
                genre?: string;
                /** @description further fields, separated by commas: `genre`, `year`, `publisher`, `library`, `cover` (extension) */
                include?: string;
                /** @description for users: only releases with a file in the library, without one, or with a file that a hash matched (extension) */
                library?: "" | "have" | "missing" | "verified";
                /** @description 1: each list ignores its own part of the filter */
                others?: number;
                /** @description name of the platform; several values are separated by `|`; a `|` in a value is doubled (extension) */
                platform?: string;
                /** @description the publisher, compared exactly; several values are separated by `|`; a `|` in a value is doubled (extension) */
                publisher?: string;
                /** @description part of the name, matched like SQL LIKE: `%` and `_` are wildcards, ASCII case is ignored */
                q?: string;
                /** @description one of the regions, e.g. `Europe`; several values are separated by `|`; a `|` in a value is doubled (extension) */
                region?: string;
                /** @description words in any order, at most 16, in the names and serials of all sources; accents and case are ignored; a word of 8, 32 or 40 hexadecimal digits also finds the CRC-32, MD5 or SHA-1 of a ROM (extension) */
                search?: string;
                /** @description for users: only releases of this set, by its id or name (extension) */
                set?: string;
                /** @description only this system, compared exactly; empty for all */
                system?: string;
                /** @description the first four digits of the release date; several values are separated by `|`; a `|` in a value is doubled (extension) */
                year?: string;
            };
            header?: {
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of releases that a filter finds, by the values of each part of the filter */
            200: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description with `include=cover` */
                        covers?: {
                            have: number;
                            missing: number;
                        };
                        /** @description with `include=genre`: at most 5000, those with the most releases */
                        genres?: {
                            genre: string;
                            releases: number;
                        }[];
                        /** @description with `include=library` */
                        library?: {
                            have: number;
                            missing: number;
                            verified: number;
                        };
                        platforms: {
                            platform: string;
                            releases: number;
                        }[];
                        /** @description with `include=publisher`: at most 5000, those with the most releases */
                        publishers?: {
                            publisher: string;
                            releases: number;
                        }[];
                        regions: {
                            region: string;
                            releases: number;
                        }[];
                        systems: {
                            releases: number;
                            system: string;
                        }[];
                        /** @description with `include=year`: at most 5000, those with the most releases */
                        years?: {
                            releases: number;
                            year: string;
                        }[];
                    };
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `library: must be  or have or missing or verified`, `cover: must be  or have or missing`, `include: there is no field <field>`, `search: must be at most 16 words`, `<filter>: must be at most 100 values` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postGroupsGroupIdJoin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    release_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Put releases into a group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description by name */
                        editions: {
                            /** @description codes such as `En` that the name states */
                            languages: string[];
                            /** @description the name of its first disc, without the number of the disc */
                            name: string;
                            regions: string[];
                            /** @description all its discs, in order */
                            releases: {
                                /** @description number of the disc in its set */
                                disc: number | null;
                                /** @description true if an editor put it into this group */
                                edited: boolean;
                                id: number;
                                name: string;
                                /** @description for users: the strongest evidence that the library has it; null otherwise */
                                owned?: ("verified" | "manual" | "serial" | "name") | null;
                                serial: string;
                            }[];
                            /** @description for example `Rev 1`; empty without one */
                            revision: string;
                            /** @description kinds such as `Demo`, and the other labels */
                            tags: string[];
                        }[];
                        /** @description the smallest id of its releases */
                        id: number;
                        platform: string;
                        title: string;
                    };
                };
            };
            /** @description `bad request`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postGroupsGroupIdSplit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    release_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Put releases of a group into a group of their own */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description by name */
                        editions: {
                            /** @description codes such as `En` that the name states */
                            languages: string[];
                            /** @description the name of its first disc, without the number of the disc */
                            name: string;
                            regions: string[];
                            /** @description all its discs, in order */
                            releases: {
                                /** @description number of the disc in its set */
                                disc: number | null;
                                /** @description true if an editor put it into this group */
                                edited: boolean;
                                id: number;
                                name: string;
                                /** @description for users: the strongest evidence that the library has it; null otherwise */
                                owned?: ("verified" | "manual" | "serial" | "name") | null;
                                serial: string;
                            }[];
                            /** @description for example `Rev 1`; empty without one */
                            revision: string;
                            /** @description kinds such as `Demo`, and the other labels */
                            tags: string[];
                        }[];
                        /** @description the smallest id of its releases */
                        id: number;
                        platform: string;
                        title: string;
                    };
                };
            };
            /** @description `bad request`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the service can read its database */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `another schema version`, `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealthReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether writes would succeed, checked at most once a second; `not_ready` of a 503 lists the parts that are not ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not ready`, `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
        };
    };
    getImports: {
        parameters: {
            query?: {
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description values below 0 become 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history of imports, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            counts: {
                                changed: number;
                                /** @description number of releases whose metadata changed */
                                filled: number;
                                /** @description releases that are no longer in the file, but were kept */
                                gone: number;
                                /** @description dumps that were already known from another source */
                                joined: number;
                                new: number;
                                /** @description number of fields kept because they were edited by hand */
                                protected: number;
                                pruned: number;
                                refused_rows: number;
                                releases: number;
                                renamed: number;
                                rows: number;
                                /** @description refused rows with a text over its limit */
                                too_long_rows: number;
                                unchanged: number;
                            };
                            file: string;
                            id: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            imported_at: string;
                            imported_by: string;
                            platform: string;
                            sha256: string;
                            source: {
                                /** @description null for a metadata file */
                                id: number | null;
                                name: string;
                            };
                            system: string | null;
                            version: string;
                        }[];
                        limit: number;
                        offset: number;
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getImportsImportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                import_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One import with the first names of each kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts: {
                            changed: number;
                            /** @description number of releases whose metadata changed */
                            filled: number;
                            /** @description releases that are no longer in the file, but were kept */
                            gone: number;
                            /** @description dumps that were already known from another source */
                            joined: number;
                            new: number;
                            /** @description number of fields kept because they were edited by hand */
                            protected: number;
                            pruned: number;
                            refused_rows: number;
                            releases: number;
                            renamed: number;
                            rows: number;
                            /** @description refused rows with a text over its limit */
                            too_long_rows: number;
                            unchanged: number;
                        };
                        file: string;
                        id: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds
                         */
                        imported_at: string;
                        imported_by: string;
                        platform: string;
                        samples: {
                            changed: string[];
                            gone: string[];
                            joined: string[];
                            new: string[];
                            protected: string[];
                            pruned: string[];
                            refused_rows: string[];
                            renamed: string[];
                        };
                        sha256: string;
                        source: {
                            /** @description null for a metadata file */
                            id: number | null;
                            name: string;
                        };
                        system: string | null;
                        version: string;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobs: {
        parameters: {
            query?: {
                /** @description only those with a lower id; absent: starts with the newest */
                before?: number;
                /** @description only jobs of this kind; empty for all */
                kind?: string;
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description absent: all */
                state?: "queued" | "running" | "done" | "failed" | "stopped" | "interrupted";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Jobs, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description the current attempt, or the one that the job waits for; from 1 */
                            attempt: number;
                            /** @description maximum number of attempts; 1 for a job of a command */
                            attempts: number;
                            finished_at: string | null;
                            id: number;
                            kind: string;
                            /** @description written at most once a second; null until the job reports progress */
                            progress: {
                                done: number;
                                /** @description the file, release or table that is being processed; may be empty */
                                name: string;
                                /** @description one word; the numbers start again with each new phase */
                                phase: string;
                                /** @description 0 if it is not known */
                                total: number;
                                /** @enum {string} */
                                unit: "bytes" | "files" | "releases" | "images" | "covers" | "rows";
                            } | null;
                            /** @description why the job failed, was stopped or interrupted, or why its last attempt ended; null otherwise. A long text is cut; the report has all of it */
                            reason: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            started_at: string;
                            /** @description a user name, or the account of the machine; null for a schedule */
                            started_by: string | null;
                            /** @enum {string} */
                            state: "queued" | "running" | "done" | "failed" | "stopped" | "interrupted";
                            /** @description true if the job runs and was asked to stop */
                            stopping: boolean;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `state: must be queued or running or done or failed or stopped or interrupted` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    kind?: "scan" | "import" | "import-preview" | "fetch-catalogue" | "covers-fetch" | "covers-extract" | "covers-bundle" | "verify" | "build-preview" | "build" | "build-undo";
                    options?: {
                        /** @description forget the files of roots that are missing or empty; admin */
                        forget?: boolean;
                        /** @description examine unchanged files again */
                        full?: boolean;
                        /** @description also hash files; true by default */
                        hash?: boolean;
                    } | {
                        /** @description remove releases that no source lists any more; admin */
                        prune?: boolean;
                        /** @description the name of the source of the DAT */
                        source?: string;
                        /** @description the system of the releases, instead of the one that the header of the DAT determines */
                        system?: string;
                        /** @description ids of completed uploads to `dats` */
                        uploads: number[];
                    } | {
                        /** @description remove releases that no source lists any more; admin */
                        prune?: boolean;
                        /** @description the name of the source of the DAT */
                        source?: string;
                        /** @description the system of the releases, instead of the one that the header of the DAT determines */
                        system?: string;
                        /** @description ids of completed uploads to `dats` */
                        uploads: number[];
                    } | Record<string, never> | {
                        /** @description keep covers that were taken from a disc */
                        missing?: boolean;
                        /** @description only for releases with a file in the library */
                        owned?: boolean;
                        /** @description only for these releases */
                        release_ids?: number[];
                        /** @description also fetch covers that a user removed */
                        removed?: boolean;
                        /** @description only releases of this system */
                        system?: string;
                    } | Record<string, never> | {
                        /** @description the name of the zip, with or without its extension */
                        name: string;
                        /** @description only releases of this system */
                        system?: string;
                    } | {
                        /** @description verify the covers */
                        covers?: boolean;
                        /** @description verify the library */
                        library?: boolean;
                        /** @description maximum number of bytes to read per second */
                        rate?: number;
                        /** @description verify the archives; if none of `store`, `covers` and `library` is set, verifies everything, including the database */
                        store?: boolean;
                    } | {
                        /** @description leave other files in the folder as they are */
                        adopt?: boolean;
                        /** @description the id of a profile */
                        profile: string;
                        /** @description the id of a set that you see */
                        set: number;
                        /** @description the name of a target of the server */
                        target: string;
                        /** @description take images out of archives that the device does not open */
                        unpack?: boolean;
                    } | {
                        /** @description leave other files in the folder as they are */
                        adopt?: boolean;
                        /** @description the id of a profile */
                        profile: string;
                        /** @description the id of a set that you see */
                        set: number;
                        /** @description the name of a target of the server */
                        target: string;
                        /** @description take images out of archives that the device does not open */
                        unpack?: boolean;
                    } | {
                        /** @description the name of a target of the server */
                        target: string;
                    };
                };
            };
        };
        responses: {
            /** @description Start a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                    };
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `already running` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobsJobId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One job with its options and its report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the current attempt, or the one that the job waits for; from 1 */
                        attempt: number;
                        /** @description maximum number of attempts; 1 for a job of a command */
                        attempts: number;
                        finished_at: string | null;
                        id: number;
                        kind: string;
                        options: {
                            [key: string]: unknown;
                        };
                        /** @description written at most once a second; null until the job reports progress */
                        progress: {
                            done: number;
                            /** @description the file, release or table that is being processed; may be empty */
                            name: string;
                            /** @description one word; the numbers start again with each new phase */
                            phase: string;
                            /** @description 0 if it is not known */
                            total: number;
                            /** @enum {string} */
                            unit: "bytes" | "files" | "releases" | "images" | "covers" | "rows";
                        } | null;
                        /** @description why the job failed, was stopped or interrupted, or why its last attempt ended; null otherwise. A long text is cut; the report has all of it */
                        reason: string | null;
                        /** @description depends on the kind; `{error}` if the job failed, was stopped or interrupted, or if its last attempt ended early. Null for a build of a set that you do not see, unless you started it */
                        report: {
                            [key: string]: unknown;
                        } | null;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds
                         */
                        started_at: string;
                        /** @description a user name, or the account of the machine; null for a schedule */
                        started_by: string | null;
                        /** @enum {string} */
                        state: "queued" | "running" | "done" | "failed" | "stopped" | "interrupted";
                        /** @description true if the job runs and was asked to stop */
                        stopping: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postJobsJobIdStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask a job to stop; does nothing if the job has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLetters: {
        parameters: {
            query?: {
                /** @description only releases with a cover, or without one (extension) */
                cover?: "" | "have" | "missing";
                /** @description the genre, compared exactly; several values are separated by `|`; a `|` in a value is doubled (extension) */
                genre?: string;
                /** @description for users: only releases with a file in the library, without one, or with a file that a hash matched (extension) */
                library?: "" | "have" | "missing" | "verified";
                /** @description the order of the list; with `title`, each character is the first one by which that order sorts (extension) */
                order?: "name" | "title";
                /** @description name of the platform; several values are separated by `|`; a `|` in a value is doubled (extension) */
                platform?: string;
                /** @description the publisher, compared exactly; several values are separated by `|`; a `|` in a value is doubled (extension) */
                publisher?: string;
                /** @description part of the name, matched like SQL LIKE: `%` and `_` are wildcards, ASCII case is ignored */
                q?: string;
                /** @description one of the regions, e.g. `Europe`; several values are separated by `|`; a `|` in a value is doubled (extension) */
                region?: string;
                /** @description words in any order, at most 16, in the names and serials of all sources; accents and case are ignored; a word of 8, 32 or 40 hexadecimal digits also finds the CRC-32, MD5 or SHA-1 of a ROM (extension) */
                search?: string;
                /** @description for users: only releases of this set, by its id or name (extension) */
                set?: string;
                /** @description only this system, compared exactly; empty for all */
                system?: string;
                /** @description the first four digits of the release date; several values are separated by `|`; a `|` in a value is doubled (extension) */
                year?: string;
            };
            header?: {
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The position of each first character in the list that a filter finds */
            200: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            initial: string;
                            offset: number;
                            releases: number;
                        }[];
                    };
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `library: must be  or have or missing or verified`, `cover: must be  or have or missing`, `order: must be name or title`, `search: must be at most 16 words`, `<filter>: must be at most 100 values` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibrary: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `counts`, `state` (extension) */
                include?: string;
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description values below 0 become 0 */
                offset?: number;
                /** @description words in any order, at most 16, in a file's name, the name it should have, and its serial */
                search?: string;
                /** @description `matched`: by more than the name; `by-name`; `ambiguous`: several releases are left; `unknown`; `damaged`, whatever its release */
                state?: "" | "matched" | "by-name" | "ambiguous" | "unknown" | "damaged";
                /** @description only this system, compared exactly; empty for all */
                system?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files that were found below the library roots, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description with `include=counts`: the number of files in each state that meet the rest of the filter */
                        counts?: {
                            ambiguous: number;
                            "by-name": number;
                            damaged: number;
                            matched: number;
                            unknown: number;
                        };
                        items: {
                            /** @description the name that the file should have according to the DAT */
                            canonical: string | null;
                            id: number;
                            /** @description how the file was matched; `manual`: an editor chose */
                            method: ("sha1" | "md5" | "crc32" | "serial" | "name" | "manual") | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            modified_at: string;
                            name: string;
                            /** @description only for editors */
                            path?: string;
                            /** @description the problem of the file, as a sentence about "it" */
                            problem: string | null;
                            release_id: number | null;
                            /** @description null without a release */
                            release_name: string | null;
                            /** @description the serial read from the file */
                            serial: string | null;
                            /** @description size of the file in bytes */
                            size: number;
                            /**
                             * @description with `include=state`
                             * @enum {string}
                             */
                            state?: "matched" | "by-name" | "ambiguous" | "unknown";
                            /** @description the system of the release, else of the root */
                            system: string;
                        }[];
                        limit: number;
                        offset: number;
                        total: number;
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `state: must be  or matched or by-name or ambiguous or unknown or damaged`, `include: there is no field <field>`, `search: must be at most 16 words` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibraryFileId: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `choices` (extension) */
                include?: string;
            };
            header?: never;
            path: {
                file_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data read from a file of the library, and the reasons why it has its release */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the remaining releases, if no rule decided between them */
                        candidates: {
                            id: number;
                            name: string;
                        }[];
                        /** @description the name that the file should have according to the DAT */
                        canonical: string | null;
                        /** @description with `include=choices`: each release that any evidence matches, once */
                        choices?: {
                            id: number;
                            name: string;
                            platform: string;
                            region: string;
                            serial: string;
                        }[];
                        /** @description null until the file was hashed; for a packed file, the hash of its content */
                        crc32: string | null;
                        /** @description the file of its set whose match also decided for this file */
                        decided_by: string | null;
                        id: number;
                        /** @description as `crc32` */
                        md5: string | null;
                        /** @description how the file was matched; `manual`: an editor chose */
                        method: ("sha1" | "md5" | "crc32" | "serial" | "name" | "manual") | null;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds
                         */
                        modified_at: string;
                        name: string;
                        /** @description only for editors */
                        path?: string;
                        /** @description the releases that each kind of evidence matches, strongest evidence first; at most 20 of each */
                        pointed_at: {
                            /** @enum {string} */
                            method: "sha1" | "md5" | "crc32" | "serial" | "name";
                            releases: {
                                id: number;
                                name: string;
                            }[];
                        }[];
                        /** @description the problem of the file, as a sentence about "it" */
                        problem: string | null;
                        /** @description the data read from the file itself */
                        read: {
                            /** @description the container in which the image is stored */
                            container: string;
                            /** @description further fields, as stored in the file */
                            details: {
                                name: string;
                                value: string;
                            }[];
                            /** @description the kind of disc */
                            disc: string | null;
                            /** @description number of the disc in a set of several, from 1 */
                            disc_number: number | null;
                            /** @description size of the image inside, in bytes */
                            image_size: number | null;
                            /** @description the regions in which the disc can be played */
                            region: string[];
                            /** @description 0 for the first pressing */
                            revision: number | null;
                            /** @description as the disc states it */
                            serial: string | null;
                            /** @description as the disc states it */
                            title: string | null;
                            /** @description as the disc states it */
                            version: string | null;
                        };
                        release_id: number | null;
                        /** @description null without a release */
                        release_name: string | null;
                        /** @description the platform of its release; null without a release */
                        release_platform: string | null;
                        /** @description the serial read from the file */
                        serial: string | null;
                        /** @description as `crc32` */
                        sha1: string | null;
                        /** @description size of the file in bytes */
                        size: number;
                        /** @enum {string} */
                        state: "matched" | "by-name" | "ambiguous" | "unknown";
                        /** @description the system of the release, else of the root */
                        system: string;
                        /** @description the rules that decided, in order, each for the releases that it kept (`held`) and ruled out; empty if an editor chose */
                        why: {
                            held: boolean;
                            release: {
                                id: number;
                                name: string;
                            };
                            /** @enum {string} */
                            rule: "sha1" | "md5" | "crc32" | "serial" | "name" | "members" | "platform" | "disc" | "revision" | "version" | "region" | "own-serial" | "dump" | "full-serial" | "size" | "tracks" | "file-name" | "same-content";
                        }[];
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `include: there is no field <field>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibraryFileIdDownload: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `Last-Modified` of the known version */
                "If-Modified-Since"?: string;
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
                /** @description the `ETag` or `Last-Modified` to which the range belongs */
                "If-Range"?: string;
                /** @description one range, such as `bytes=0-1023` */
                Range?: string;
            };
            path: {
                file_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download a file of the library, as it is on the disk */
            200: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description the requested range */
            206: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description `bytes <first>-<last>/<size>` */
                    "Content-Range": string;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `library downloads are off` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the file is on the host <host>` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description a range outside the file */
            416: {
                headers: {
                    /** @description `bytes *\/<size>` */
                    "Content-Range": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLibraryFileIdMatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description null to match by the evidence again */
                    release_id?: number | null;
                };
            };
        };
        responses: {
            /** @description Choose the release of a file, or take the choice back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `release_id: there is no release <id>`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibraryAlike: {
        parameters: {
            query?: {
                /** @description id of the release that was chosen */
                chosen?: number;
                /** @description ids of the other candidates, separated by commas, at most 100 */
                others?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules by which a release was chosen instead of others, and the other files that they decide */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description the undecided files that the rule decides, by name, at most 500 */
                            files: {
                                id: number;
                                name: string;
                                release: {
                                    id: number;
                                    name: string;
                                };
                            }[];
                            /**
                             * @description `region`, `platform`: the only release with this `value`; `newest`, `first`: the highest or lowest revision
                             * @enum {string}
                             */
                            rule: "region" | "platform" | "newest" | "first";
                            /** @description the region or platform; empty for other rules */
                            value: string;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `others: must be 1 to 100 ids, by commas`, `others: there is no such release` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLibraryMatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    files?: {
                        file_id: number;
                        /** @description null to match by the evidence again */
                        release_id: number | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Choose the releases of several files at once, or take the choices back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description ids of the files that were decided; the others already had a release, or had no choice to take back */
                        files: number[];
                        /** @constant */
                        ok: true;
                    };
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `release_id: there is no release <id>`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibraryRecent: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `platform`, `region`, `cover`, `owned` (extension) */
                include?: string;
                /** @description clamped to 1..500 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases whose files were added to the library last, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ReleaseListItem"][];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `include: there is no field <field>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibraryRoots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folders that are scanned, by path */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description number of known files below it */
                            files: number;
                            path: string;
                            /** @description why the last scan left it out; null if it did not */
                            problem: string | null;
                            /** @description when a scan last walked the whole folder */
                            scanned_at: string | null;
                            system: string;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPlatforms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The platforms, with the number of their releases in the library, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description number of releases with a cover */
                            covers: number;
                            /** @description number of releases with a file in the library */
                            have: number;
                            id: number;
                            name: string;
                            releases: number;
                            /** @description the system of most of its releases */
                            system: string;
                            /** @description number of releases with a file that was matched by a hash */
                            verified: number;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPlatformsPlatformIdMissingCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                platform_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases of a platform that the library lacks, as CSV, by name */
            200: {
                headers: {
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPlatformsPlatformIdMissingDat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                platform_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases of a platform that the library lacks, as a DAT in Logiqx XML, by name */
            200: {
                headers: {
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices and front ends that a set can be exported for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            based_on: string | null;
                            /** @enum {string} */
                            file_system: "posix" | "exfat" | "fat32";
                            id: string;
                            metadata: ("es-de" | "batocera" | "pegasus" | "retroarch") | null;
                            /** @description true for a profile of the data folder */
                            own: boolean;
                            /** @description a sentence on where to put an export */
                            placement: string;
                            platforms: {
                                /** @description without a dot; the best first */
                                extensions: string[];
                                folder: string;
                                /** @description the name in libretro's database */
                                platform: string;
                                /** @description true if games of several discs get a playlist (.m3u) */
                                playlists: boolean;
                            }[];
                            /** @description the folder of all games on the device */
                            roms_path: string;
                            title: string;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReleases: {
        parameters: {
            query?: {
                /** @description only releases with a cover, or without one (extension) */
                cover?: "" | "have" | "missing";
                /** @description the genre, compared exactly; several values are separated by `|`; a `|` in a value is doubled (extension) */
                genre?: string;
                /** @description further fields, separated by commas: `total`, `platform`, `region`, `cover`, `owned` (extension) */
                include?: string;
                /** @description for users: only releases with a file in the library, without one, or with a file that a hash matched (extension) */
                library?: "" | "have" | "missing" | "verified";
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description values below 0 become 0 */
                offset?: number;
                /** @description `name`: by name, then by id; `newest`: by id, the highest first; `title`: by name without case, common accents and articles, then by id; `relevance`: the best matches of `search` first; without `search` like `name` (extension) */
                order?: "name" | "newest" | "title" | "relevance";
                /** @description name of the platform; several values are separated by `|`; a `|` in a value is doubled (extension) */
                platform?: string;
                /** @description the publisher, compared exactly; several values are separated by `|`; a `|` in a value is doubled (extension) */
                publisher?: string;
                /** @description part of the name, matched like SQL LIKE: `%` and `_` are wildcards, ASCII case is ignored */
                q?: string;
                /** @description one of the regions, e.g. `Europe`; several values are separated by `|`; a `|` in a value is doubled (extension) */
                region?: string;
                /** @description words in any order, at most 16, in the names and serials of all sources; accents and case are ignored; a word of 8, 32 or 40 hexadecimal digits also finds the CRC-32, MD5 or SHA-1 of a ROM (extension) */
                search?: string;
                /** @description for users: only releases of this set, by its id or name (extension) */
                set?: string;
                /** @description only this system, compared exactly; empty for all */
                system?: string;
                /** @description the first four digits of the release date; several values are separated by `|`; a `|` in a value is doubled (extension) */
                year?: string;
            };
            header?: {
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List and search releases */
            200: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ReleaseListItem"][];
                        limit: number;
                        offset: number;
                        /** @description with `include=total` */
                        total?: number;
                    };
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `library: must be  or have or missing or verified`, `cover: must be  or have or missing`, `order: must be name or newest or title or relevance`, `include: there is no field <field>`, `search: must be at most 16 words`, `<filter>: must be at most 100 values` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReleasesReleaseId: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `platform`, `region`, `franchise`, `cover`, `sources`, `edits` (extension) */
                include?: string;
            };
            header?: {
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
            };
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One release with its ROMs and metadata */
            200: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Release"];
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `include: there is no field <field>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchReleasesReleaseId: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `ETag` of the version to change */
                "If-Match"?: string;
            };
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string | null;
                    developer?: string | null;
                    genre?: string | null;
                    name?: string | null;
                    publisher?: string | null;
                    region?: string | null;
                    release_date?: string | null;
                    serial?: string | null;
                    synopsis?: string | null;
                    title?: string | null;
                };
            };
        };
        responses: {
            /** @description Edit a release and its metadata */
            200: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `changed meanwhile` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReleasesReleaseIdArchives: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archives that are named like a release, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Archive"][];
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReleasesReleaseIdDownload: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `Last-Modified` of the known version */
                "If-Modified-Since"?: string;
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
                /** @description the `ETag` or `Last-Modified` to which the range belongs */
                "If-Range"?: string;
                /** @description one range, such as `bytes=0-1023` */
                Range?: string;
            };
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download all files of the library that a release was matched with, as a zip */
            200: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description the requested range */
            206: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description `bytes <first>-<last>/<size>` */
                    "Content-Range": string;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `library downloads are off` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the file is on the host <host>` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description a range outside the file */
            416: {
                headers: {
                    /** @description `bytes *\/<size>` */
                    "Content-Range": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteReleasesReleaseIdEditsField: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `ETag` of the version to change */
                "If-Match"?: string;
            };
            path: {
                field: string;
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Take back the edit of a field, so that imports set it again */
            200: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `changed meanwhile` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReleasesReleaseIdGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group of a release: all editions of the game on its platform */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description by name */
                        editions: {
                            /** @description codes such as `En` that the name states */
                            languages: string[];
                            /** @description the name of its first disc, without the number of the disc */
                            name: string;
                            regions: string[];
                            /** @description all its discs, in order */
                            releases: {
                                /** @description number of the disc in its set */
                                disc: number | null;
                                /** @description true if an editor put it into this group */
                                edited: boolean;
                                id: number;
                                name: string;
                                /** @description for users: the strongest evidence that the library has it; null otherwise */
                                owned?: ("verified" | "manual" | "serial" | "name") | null;
                                serial: string;
                            }[];
                            /** @description for example `Rev 1`; empty without one */
                            revision: string;
                            /** @description kinds such as `Demo`, and the other labels */
                            tags: string[];
                        }[];
                        /** @description the smallest id of its releases */
                        id: number;
                        platform: string;
                        title: string;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReleasesReleaseIdLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                release_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files of the library that a release was matched with, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["LibraryFile"][];
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedules of jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description the kind of job that it starts */
                            kind: string;
                            /** @description null while the schedule is off */
                            next_at: string | null;
                            on: boolean;
                            /** @description for example `03:00`, in the time zone of the server */
                            time: string;
                            /** @description 0 is Sunday; null for every day */
                            weekday: number | null;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchSchedulesKind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    on?: boolean;
                    /** @description for example `03:00`, in the time zone of the server */
                    time?: string;
                    /** @description 0 is Sunday; null for every day */
                    weekday?: number | null;
                };
            };
        };
        responses: {
            /** @description Change the schedule of a kind of job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the kind of job that it starts */
                        kind: string;
                        /** @description null while the schedule is off */
                        next_at: string | null;
                        on: boolean;
                        /** @description for example `03:00`, in the time zone of the server */
                        time: string;
                        /** @description 0 is Sunday; null for every day */
                        weekday: number | null;
                    };
                };
            };
            /** @description `bad request`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current user, and public facts about the server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description whether editors can start a job `fetch-catalogue` */
                        catalogue_source: boolean;
                        /** @description true if the library has a file, or the store an archive; false for anonymous users */
                        collection: boolean;
                        /** @description whether users may download files of the library */
                        library_downloads: boolean;
                        /** @description the number of releases; null for anonymous users if signing in is required */
                        releases: number | null;
                        sign_in_required: boolean;
                        /** @description null without a live token */
                        user: components["schemas"]["User"] | null;
                        /** @description the build stamp, which changes with every upgrade */
                        version: string;
                    };
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSets: {
        parameters: {
            query?: {
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One's own sets and the shared ones, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Set"][];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postSets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @description the editions of games that the set contains; null for all that the rule selects */
                    prefer?: {
                        /**
                         * @description `library`: only editions with at least one disc in the library
                         * @default catalogue
                         * @enum {string}
                         */
                        among?: "catalogue" | "library";
                        /**
                         * @description tags such as `Demo`; an edition with such a tag is chosen only if there is no other
                         * @default []
                         */
                        avoid?: string[];
                        /**
                         * @description codes such as `En`, best first
                         * @default []
                         */
                        languages?: string[];
                        /**
                         * @description true for one edition of each game, false for all
                         * @default true
                         */
                        one_per_game?: boolean;
                        /**
                         * @description best first
                         * @default []
                         */
                        regions?: string[];
                        /**
                         * @default newest
                         * @enum {string}
                         */
                        revision?: "newest" | "oldest";
                    } | null;
                    /** @description a group, `{"all": [rule]}`, `{"any": [rule]}` or `{"not": rule}`, or a condition such as `{"field": "platform", "is": "Sony - PlayStation"}` with `is`, `in`, `contains`, or `from` and `to` */
                    rule?: {
                        [key: string]: unknown;
                    };
                    shared?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Save a set; a shared one needs the role editor */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Set"];
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too many sets`, `the set contains itself` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rule: <problem>`, `prefer: <problem>`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetsSetId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Set"];
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSetsSetId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a set; a shared one needs the role editor */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchSetsSetId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @description the editions of games that the set contains; null for all that the rule selects */
                    prefer?: {
                        /**
                         * @description `library`: only editions with at least one disc in the library
                         * @default catalogue
                         * @enum {string}
                         */
                        among?: "catalogue" | "library";
                        /**
                         * @description tags such as `Demo`; an edition with such a tag is chosen only if there is no other
                         * @default []
                         */
                        avoid?: string[];
                        /**
                         * @description codes such as `En`, best first
                         * @default []
                         */
                        languages?: string[];
                        /**
                         * @description true for one edition of each game, false for all
                         * @default true
                         */
                        one_per_game?: boolean;
                        /**
                         * @description best first
                         * @default []
                         */
                        regions?: string[];
                        /**
                         * @default newest
                         * @enum {string}
                         */
                        revision?: "newest" | "oldest";
                    } | null;
                    /** @description a group, `{"all": [rule]}`, `{"any": [rule]}` or `{"not": rule}`, or a condition such as `{"field": "platform", "is": "Sony - PlayStation"}` with `is`, `in`, `contains`, or `from` and `to` */
                    rule?: {
                        [key: string]: unknown;
                    };
                    shared?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Change a set; a shared one needs the role editor */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Set"];
                };
            };
            /** @description `bad request`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too many sets`, `the set contains itself` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `rule: <problem>`, `prefer: <problem>`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetsSetIdExplainReleaseId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                release_id: number;
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Why a release is in a set or not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the editions of the game among the selected releases, the chosen ones first */
                        editions: {
                            chosen: boolean;
                            languages: string[];
                            name: string;
                            regions: string[];
                            rejected_by: ("library" | "avoid" | "region" | "language" | "revision" | "labels" | "name") | null;
                            /** @description all its discs, in order */
                            release_ids: number[];
                            revision: string;
                            /** @description kinds such as `Demo`, and the other labels */
                            tags: string[];
                        }[];
                        in_set: boolean;
                        /** @description ids of the releases of the game that the rule does not select */
                        not_selected: number[];
                        /** @description the rule of choice by which its edition was rejected */
                        rejected_by: ("library" | "avoid" | "region" | "language" | "revision" | "labels" | "name") | null;
                        /** @description true if the rule of the set selects the release */
                        selected: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetsSetIdExportProfile: {
        parameters: {
            query?: {
                /** @description the folder of all games on the device; the profile's by default */
                roms_path?: string;
            };
            header?: never;
            path: {
                profile: string;
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A set for a device: metadata, playlists and pictures of its games, as a zip */
            200: {
                headers: {
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found`, `no such profile` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `roms_path: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetsSetIdLeftOutProfile: {
        parameters: {
            query?: {
                /** @description clamped to 1..500 */
                limit?: number;
                /** @description values below 0 become 0 */
                offset?: number;
            };
            header?: never;
            path: {
                profile: string;
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files that an export of a set leaves out, with the reasons */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description number of games that the export contains */
                        games: number;
                        left_out: {
                            file: string;
                            platform: string;
                            release: string;
                            release_id: number;
                            /** @description a sentence */
                            why: string;
                        }[];
                        limit: number;
                        /** @description number of releases without a file in the library */
                        not_in_library: number;
                        offset: number;
                        profile: string;
                        set: string;
                        /** @description number of files that are left out */
                        total: number;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found`, `no such profile` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetsSetIdMissingCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases of a set that the library lacks, as CSV, by name */
            200: {
                headers: {
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetsSetIdMissingDat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                set_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases of a set that the library lacks, as a DAT in Logiqx XML, by name */
            200: {
                headers: {
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set and the sets that it names are too large` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postSetsPreview: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `platform`, `region`, `cover`, `owned` (extension) */
                include?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description the editions of games that the set contains; null for all that the rule selects */
                    prefer?: {
                        /**
                         * @description `library`: only editions with at least one disc in the library
                         * @default catalogue
                         * @enum {string}
                         */
                        among?: "catalogue" | "library";
                        /**
                         * @description tags such as `Demo`; an edition with such a tag is chosen only if there is no other
                         * @default []
                         */
                        avoid?: string[];
                        /**
                         * @description codes such as `En`, best first
                         * @default []
                         */
                        languages?: string[];
                        /**
                         * @description true for one edition of each game, false for all
                         * @default true
                         */
                        one_per_game?: boolean;
                        /**
                         * @description best first
                         * @default []
                         */
                        regions?: string[];
                        /**
                         * @default newest
                         * @enum {string}
                         */
                        revision?: "newest" | "oldest";
                    } | null;
                    /** @description a group, `{"all": [rule]}`, `{"any": [rule]}` or `{"not": rule}`, or a condition such as `{"field": "platform", "is": "Sony - PlayStation"}` with `is`, `in`, `contains`, or `from` and `to` */
                    rule?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The number of releases that a set would have, and the first twelve of them by title */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        items: components["schemas"]["ReleaseListItem"][];
                    };
                };
            };
            /** @description `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `the set contains itself` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `include: there is no field <field>`, `rule: <problem>`, `prefer: <problem>`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts and the newest downloads */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        covers: number;
                        downloads: number;
                        recent: {
                            bytes: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, milliseconds
                             */
                            created_at: string;
                            name: string;
                            system: string;
                            username: string | null;
                        }[];
                        systems: {
                            releases: number;
                            system: string;
                        }[];
                        users: number;
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStore: {
        parameters: {
            query?: {
                /** @description further fields, separated by commas: `total`, `release`, `sha256` (extension) */
                include?: string;
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
                /** @description words that the name contains, without regard to case and accents (extension) */
                search?: string;
                /** @description bytes: only archives that were stored with this size, at most 100; absent: all (extension) */
                size?: number;
                /** @description `videos`, or anything else for games */
                system?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archives of an area, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description number of `items` */
                        count: number;
                        items: components["schemas"]["Archive"][];
                        /** @description the requested value */
                        system: string;
                        /** @description with `include=total`: number of items on all pages */
                        total?: number;
                    };
                };
            };
            /** @description `<parameter>: must be an integer`, `include: there is no field <field>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteStoreSystemName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                system: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete an archive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStoreDownloadSystemName: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `Last-Modified` of the known version */
                "If-Modified-Since"?: string;
                /** @description the `ETag` of the known version */
                "If-None-Match"?: string;
                /** @description the `ETag` or `Last-Modified` to which the range belongs */
                "If-Range"?: string;
                /** @description one range, such as `bytes=0-1023` */
                Range?: string;
            };
            path: {
                name: string;
                system: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Download an archive */
            200: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description the requested range */
            206: {
                headers: {
                    /** @description `bytes` */
                    "Accept-Ranges": string;
                    /** @description the name under which to save it */
                    "Content-Disposition": string;
                    /** @description number of bytes that follow */
                    "Content-Length": number;
                    /** @description `bytes <first>-<last>/<size>` */
                    "Content-Range": string;
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description unchanged since the known version */
            304: {
                headers: {
                    /** @description a strong validator */
                    ETag: string;
                    /** @description when the file was stored */
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description a range outside the file */
            416: {
                headers: {
                    /** @description `bytes *\/<size>` */
                    "Content-Range": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postStoreUpload: {
        parameters: {
            query?: {
                /** @description `videos`, or anything else for games */
                system?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description the file part
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Upload an archive, replacing one of the same name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        filename: string;
                        ok: boolean;
                        size: number;
                    };
                };
            };
            /** @description `invalid filename`, `malformed multipart body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `archive too large`, `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `file: file part is required` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folders in which jobs can build trees, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description the other host that has the folder; null if this one has it */
                            host: string | null;
                            /** @description the last build that a job started; null after an undo */
                            last_build: {
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, milliseconds
                                 */
                                built_at: string;
                                /** @description number of files of the tree; null if the build was not completed */
                                files: number | null;
                                /** @description number of files that the device cannot open */
                                left_out: number;
                                /** @description number of files that could not be written or removed */
                                problems: number;
                                /** @description the id of a profile */
                                profile: string;
                                /** @description the name of the set at that time; null if you do not see the set, or if it was deleted */
                                set: string | null;
                                set_id: number;
                                /** @description true if it took images out of archives */
                                unpack: boolean;
                            } | null;
                            name: string;
                            /** @description the folder; null on another host */
                            path: string | null;
                            /** @description false if the folder is missing; null on another host */
                            present: boolean | null;
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUploads: {
        parameters: {
            query?: {
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
                /** @description 1: only one's own, also for an admin */
                own?: number;
                /** @description absent: all states */
                state?: "receiving" | "checking" | "done" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One's own uploads, newest first; for an admin all */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            detail: string | null;
                            expires_at: string | null;
                            /** @description the name under which it will be stored */
                            filename: string;
                            id: number;
                            /** @description number of bytes that are safe on disk */
                            offset: number;
                            /** @description declared size in bytes */
                            size: number;
                            /**
                             * @description `checking`: all bytes have arrived, the checksum is being calculated, and an archive gets its name
                             * @enum {string}
                             */
                            state: "receiving" | "checking" | "done" | "failed";
                            /** @enum {string} */
                            system: "games" | "videos" | "dats";
                        }[];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `state: must be receiving or checking or done or failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUploads: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1.0.0` */
                "Tus-Resumable"?: string;
                /** @description bytes */
                "Upload-Length"?: string;
                /** @description `filename`, `system` (`games`, `videos` or `dats`), and `replace` to replace an archive of that name */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Begin an upload (tus: creation) */
            201: {
                headers: {
                    /** @description its URL */
                    Location?: string;
                    /** @description when the upload is removed, if no byte arrives until then */
                    "Upload-Expires"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid filename` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `archive exists`, `too many uploads` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported version of tus` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `archive too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<header>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    optionsUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The parts of tus that the server supports */
            204: {
                headers: {
                    /** @description `sha1,sha256` */
                    "Tus-Checksum-Algorithm"?: string;
                    /** @description `creation,checksum,expiration,termination` */
                    "Tus-Extension"?: string;
                    /** @description maximum size of an upload in bytes, if there is a limit */
                    "Tus-Max-Size"?: string;
                    /** @description `1.0.0` */
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUploadsUploadId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One upload with its chunks; HEAD returns its offset (tus) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in order, as they were sent */
                        chunks: {
                            sha256: string;
                            size: number;
                        }[];
                        detail: string | null;
                        expires_at: string | null;
                        /** @description the name under which it will be stored */
                        filename: string;
                        id: number;
                        /** @description number of bytes that are safe on disk */
                        offset: number;
                        /** @description declared size in bytes */
                        size: number;
                        /**
                         * @description `checking`: all bytes have arrived, the checksum is being calculated, and an archive gets its name
                         * @enum {string}
                         */
                        state: "receiving" | "checking" | "done" | "failed";
                        /** @enum {string} */
                        system: "games" | "videos" | "dats";
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUploadsUploadId: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1.0.0` */
                "Tus-Resumable"?: string;
            };
            path: {
                upload_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description End an upload (tus: termination); an archive that was made of it stays */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported version of tus` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    optionsUploadsUploadId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The parts of tus that the server supports, for an upload */
            204: {
                headers: {
                    /** @description `sha1,sha256` */
                    "Tus-Checksum-Algorithm"?: string;
                    /** @description `creation,checksum,expiration,termination` */
                    "Tus-Extension"?: string;
                    /** @description maximum size of an upload in bytes, if there is a limit */
                    "Tus-Max-Size"?: string;
                    /** @description `1.0.0` */
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchUploadsUploadId: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1.0.0` */
                "Tus-Resumable"?: string;
                /** @description `sha1` or `sha256`, a blank, and the digest of the chunk in Base64 */
                "Upload-Checksum"?: string;
                /** @description the offset at which the chunk begins */
                "Upload-Offset"?: string;
            };
            path: {
                upload_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Send the next chunk of an upload, at most 64 MiB (tus) */
            204: {
                headers: {
                    /** @description when the upload is removed, if no byte arrives until then */
                    "Upload-Expires"?: string;
                    /** @description number of bytes that are safe on disk */
                    "Upload-Offset"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `bad request`, `Upload-Checksum: must be sha1 or sha256 and a digest in Base64` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong offset`, `damaged upload` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported version of tus` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `<header>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `checksum mismatch` */
            460: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsers: {
        parameters: {
            query?: {
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All users, by username */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["User"][];
                    };
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    password?: string | null;
                    role?: ("admin" | "editor" | "user") | null;
                    username?: string | null;
                };
            };
        };
        responses: {
            /** @description Create a user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /**
                         * @description 1 = active, 0 = inactive
                         * @enum {integer}
                         */
                        is_active: 0 | 1;
                        /** @enum {string} */
                        role: "admin" | "editor" | "user";
                        username: string;
                    };
                };
            };
            /** @description `username and password are required`, `invalid role`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `username already exists` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUsersUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a user and their tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request`, `cannot delete yourself` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `last active admin` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchUsersUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description any JSON: truthy sets active, falsy inactive */
                    is_active?: unknown;
                    password?: string | null;
                    /** @description true revokes the tokens of the user (extension) */
                    revoke_tokens?: boolean;
                    role?: ("admin" | "editor" | "user") | null;
                };
            };
        };
        responses: {
            /** @description Change a user's role, state or password */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        /**
                         * @description 1 = active, 0 = inactive
                         * @enum {integer}
                         */
                        is_active: 0 | 1;
                        /** @enum {string} */
                        role: "admin" | "editor" | "user";
                        username: string;
                    };
                };
            };
            /** @description `bad request`, `invalid role`, `invalid JSON body` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `last active admin` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `body too large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported media type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer`, `<field>: <problem>` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsersUserIdDevices: {
        parameters: {
            query?: {
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
            };
            header?: never;
            path: {
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices of a user, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Device"][];
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUsersUserIdDevicesDeviceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device_id: number;
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke the URL of a device of a user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsersUserIdTokens: {
        parameters: {
            query?: {
                /** @description clamped to 1..500; absent: all (extension) */
                limit?: number;
                /** @description with `limit`; values below 0 become 0 (extension) */
                offset?: number;
            };
            header?: never;
            path: {
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens of a user, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Token"][];
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUsersUserIdTokensTokenId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: number;
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke a token of a user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not authenticated` */
            401: {
                headers: {
                    /** @description `Bearer` */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `cross-origin request` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `<parameter>: must be an integer` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal error`: a defect; see the log of the server */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `busy`, `server is stopping` */
            503: {
                headers: {
                    /** @description number of seconds after which to try again */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

// Made from src/core/jobs/job-kinds.ts.

export type JobKind = "scan" | "import" | "import-preview" | "fetch-catalogue" | "covers-fetch" | "covers-extract" | "covers-bundle" | "verify" | "build-preview" | "build" | "build-undo" | "backup" | "adopt";

export type JobPhase = "identify" | "hash" | "read" | "write" | "import" | "download" | "search" | "extract" | "bundle" | "verify" | "plan" | "build" | "undo" | "rows" | "backup" | "adopt";

/** The fields of reports that the page shows. */
export type JobReportField = "files" | "recognised" | "in_sets" | "unknown" | "tied" | "problems" | "looked" | "moved" | "gone" | "hashed" | "matches_lost" | "matches_changed" | "unreadable" | "damaged" | "postponed" | "size" | "new" | "changed" | "filled" | "refused" | "releases" | "stored" | "missing" | "remembered" | "removed" | "failed" | "kept" | "images" | "without" | "file" | "covers" | "bytes" | "findings" | "free_bytes" | "lacking_bytes" | "not_in_library" | "add" | "replace" | "rename" | "keep" | "remove" | "conflicts" | "unwritten" | "left_out" | "deleted" | "stripped" | "left" | "undeleted";

/** The options of each kind of job that the API starts. */
export const jobOptions = {
    "scan": [
        {
            "name": "hash",
            "type": "flag",
            "isOn": true
        },
        {
            "name": "full",
            "type": "flag"
        },
        {
            "name": "forget",
            "type": "flag",
            "isAdminOnly": true
        }
    ],
    "import": [
        {
            "name": "uploads",
            "type": "ids",
            "isRequired": true
        },
        {
            "name": "prune",
            "type": "flag",
            "isAdminOnly": true
        },
        {
            "name": "system",
            "type": "text"
        },
        {
            "name": "source",
            "type": "text"
        }
    ],
    "import-preview": [
        {
            "name": "uploads",
            "type": "ids",
            "isRequired": true
        },
        {
            "name": "prune",
            "type": "flag",
            "isAdminOnly": true
        },
        {
            "name": "system",
            "type": "text"
        },
        {
            "name": "source",
            "type": "text"
        }
    ],
    "fetch-catalogue": [],
    "covers-fetch": [
        {
            "name": "system",
            "type": "text"
        },
        {
            "name": "missing",
            "type": "flag"
        },
        {
            "name": "removed",
            "type": "flag"
        },
        {
            "name": "release_ids",
            "type": "ids"
        },
        {
            "name": "owned",
            "type": "flag"
        }
    ],
    "covers-extract": [],
    "covers-bundle": [
        {
            "name": "name",
            "type": "text",
            "isRequired": true
        },
        {
            "name": "system",
            "type": "text"
        }
    ],
    "verify": [
        {
            "name": "store",
            "type": "flag"
        },
        {
            "name": "covers",
            "type": "flag"
        },
        {
            "name": "library",
            "type": "flag"
        },
        {
            "name": "rate",
            "type": "number"
        }
    ],
    "build-preview": [
        {
            "name": "set",
            "type": "number",
            "isRequired": true
        },
        {
            "name": "profile",
            "type": "text",
            "isRequired": true
        },
        {
            "name": "target",
            "type": "text",
            "isRequired": true
        },
        {
            "name": "adopt",
            "type": "flag"
        },
        {
            "name": "unpack",
            "type": "flag"
        }
    ],
    "build": [
        {
            "name": "set",
            "type": "number",
            "isRequired": true
        },
        {
            "name": "profile",
            "type": "text",
            "isRequired": true
        },
        {
            "name": "target",
            "type": "text",
            "isRequired": true
        },
        {
            "name": "adopt",
            "type": "flag"
        },
        {
            "name": "unpack",
            "type": "flag"
        }
    ],
    "build-undo": [
        {
            "name": "target",
            "type": "text",
            "isRequired": true
        }
    ]
} as const;

// Made from src/core/library/discs.ts.

/** The names of the kinds of discs. */
export const discNames = {
    "psp": "PSP",
    "umd-video": "UMD Video",
    "umd-audio": "UMD Music",
    "psx": "PlayStation",
    "ps2": "PlayStation 2",
    "ps3": "PlayStation 3",
    "xbox": "Xbox",
    "xbox-360": "Xbox 360",
    "pc-engine-cd": "PC Engine CD",
    "neo-geo-cd": "Neo Geo CD",
    "3do": "3DO",
    "cd-i": "CD-i",
    "jaguar-cd": "Jaguar CD",
    "gamecube": "GameCube",
    "wii": "Wii",
    "saturn": "Saturn",
    "mega-cd": "Mega-CD",
    "dreamcast": "Dreamcast"
} as const;

// Made from src/core/audit/actions.ts.

/** The actions of the audit, except those of jobs. */
export type PlainAction = "login" | "login.fail" | "token.create" | "token.revoke" | "user.create" | "user.update" | "user.delete" | "release.edit" | "group.join" | "group.split" | "cover.upload" | "cover.source" | "cover.disc" | "cover.remove" | "cover.bundle" | "archive.upload" | "archive.remove" | "upload.begin" | "upload.remove" | "import" | "library.match" | "schedule.edit" | "set.create" | "set.update" | "set.delete" | "device.create" | "device.revoke";

/** All actions of the audit. */
export const auditActions = [
    "login",
    "login.fail",
    "token.create",
    "token.revoke",
    "user.create",
    "user.update",
    "user.delete",
    "release.edit",
    "group.join",
    "group.split",
    "cover.upload",
    "cover.source",
    "cover.disc",
    "cover.remove",
    "cover.bundle",
    "archive.upload",
    "archive.remove",
    "upload.begin",
    "upload.remove",
    "import",
    "library.match",
    "schedule.edit",
    "set.create",
    "set.update",
    "set.delete",
    "device.create",
    "device.revoke",
    "scan.start",
    "scan.stop",
    "import.start",
    "import.stop",
    "import-preview.start",
    "import-preview.stop",
    "fetch-catalogue.start",
    "fetch-catalogue.stop",
    "covers-fetch.start",
    "covers-fetch.stop",
    "covers-extract.start",
    "covers-extract.stop",
    "covers-bundle.start",
    "covers-bundle.stop",
    "verify.start",
    "verify.stop",
    "build-preview.start",
    "build-preview.stop",
    "build.start",
    "build.stop",
    "build-undo.start",
    "build-undo.stop",
    "backup.start",
    "backup.stop",
    "adopt.start",
    "adopt.stop"
] as const;
