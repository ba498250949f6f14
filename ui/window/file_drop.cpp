// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_drop.h"

#include "models/compare/compare_controller.h"
#include "models/workspace/workspace.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/pages/conflicts/conflicts_view.h"
#include "ui/window/main_window.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

bool isLog(const QString &file)
{
    const QFileInfo info(file);
    const QString name = info.fileName().toLower();
    // A rotated log ends in a number or a date: "app.log.1", "postgresql.log-2026-11-20".
    return info.isDir() || name.contains(u".log"_s) || name.endsWith(u".csv"_s) || name.endsWith(u".jsonl"_s)
        || name.endsWith(u".ndjson"_s);
}

bool isPayload(const QString &file)
{
    const QString name = QFileInfo(file).fileName().toLower();
    return name.endsWith(u".json"_s) || name.endsWith(u".xml"_s) || name.endsWith(u".body"_s);
}

} // namespace

FileDrop::FileDrop(MainWindow *window)
    : QObject(window)
    , m_window(window)
{
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

QStringList FileDrop::filesIn(const QMimeData *dragged)
{
    QStringList files;
    for (const QUrl &url : dragged->urls()) {
        if (url.isLocalFile()) {
            files += url.toLocalFile();
        }
    }
    return files;
}

FileDrop::Kind FileDrop::kindOf(const QStringList &files, bool conflictsShown)
{
    if (std::any_of(files.cbegin(), files.cend(), isLog)) {
        return Kind::Logs;
    }
    if (std::all_of(files.cbegin(), files.cend(), isPayload)) {
        return Kind::Payloads;
    }
    return conflictsShown || files.size() > 2 ? Kind::Logs : Kind::Payloads;
}

bool FileDrop::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove: {
        auto *drag = static_cast<QDragMoveEvent *>(event);
        if (!filesIn(drag->mimeData()).isEmpty()) {
            drag->setDropAction(Qt::CopyAction); // a file is read, never moved
            drag->accept();
            return true;
        }
        return false;
    }
    case QEvent::Drop: {
        auto *drop = static_cast<QDropEvent *>(event);
        if (const QStringList files = filesIn(drop->mimeData()); !files.isEmpty()) {
            drop->setDropAction(Qt::CopyAction);
            drop->accept();
            take(files);
            return true;
        }
        return false;
    }
    default:
        return QObject::eventFilter(watched, event);
    }
}

void FileDrop::take(const QStringList &files)
{
    ConflictsPage *page = m_window->conflictsPage();
    const bool shown = m_window->currentPage() == page->face().id && page->conflictsView()->isVisible();
    const Kind kind = kindOf(files, shown);
    m_window->showPage(page->face().id);
    if (kind == Kind::Logs) {
        page->showTab(u"conflicts"_s);
        page->conflictsView()->importFiles(files);
        return;
    }
    page->showTab(u"compare"_s);
    models::CompareController *compare = m_window->workspace()->compare();
    if (files.size() >= 2) {
        compare->openFile(0, files.at(0));
        compare->openFile(1, files.at(1));
    } else {
        compare->openFile(compare->has(0) && !compare->has(1) ? 1 : 0, files.constFirst());
    }
}

} // namespace idemdesk::ui
