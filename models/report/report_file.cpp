// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/report/report_file.h"

#include "models/keys/private_file.h"
#include "models/report/report_page.h"

#include <QFileInfo>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

bool isReportName(const QString &path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == u"html" || suffix == u"pdf" || suffix == u"json";
}

sql::Result<QString> writeReport(
    const QString &path, const QString &title, const QString &html, const QJsonObject &json)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    TRY(writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        const bool done = suffix == u"pdf" ? writeReportPdf(title, html, &out)
            : suffix == u"json"            ? out.write(QJsonDocument(json).toJson()) > 0
                                           : out.write(html.toUtf8()) > 0;
        return done ? sql::Result<qint64>(1) : sql::Result<qint64>(fileError(path, out.errorString(), false));
    }));
    return path;
}

} // namespace idemdesk::models
