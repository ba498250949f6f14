// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "sql/session/session.h"
#include "sql/types/local_place.h"

namespace idemdesk::models {

/// Reads what is known of one or several intents and judges them together. conflictsHere: where imports are kept on
/// this computer. A key that is not there is an error of kind Other. Runs on a lane's thread and reads only.
sql::Result<CaseFile> readCase(
    sql::Session &session, const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere);

/// The same without the trail's proof, the comparison of requests and the verdict: what happened to these rows.
sql::Result<CaseFile> readHistory(
    sql::Session &session, const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere);

/// What can be compared of the case, also requests that were too large to be read with it, up to 64 MiB each; larger
/// ones stay marked as such. Error: MissingObject where one is gone, Refused where all are larger. Runs on a lane's
/// thread.
sql::Result<QList<CaseRequest>> readRequests(sql::Session &session, const CaseFile &file);

} // namespace idemdesk::models
