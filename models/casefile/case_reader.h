// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "sql/types/local_place.h"
#include "sql/session/session.h"

namespace idemdesk::models {

/// Reads what is known of one or several intents and judges them together. conflictsHere: where imports are kept on this computer. A key
/// that is not there is an error of kind Other. Runs on a lane's thread and reads only.
sql::Result<CaseFile> readCase(sql::Session &session, const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere);

} // namespace idemdesk::models
