// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/palette_source.h"

#include "models/connection/connection_controller.h"
#include "models/filter/filter_parser.h"
#include "models/format/labels.h"
#include "models/keys/key_browser.h"
#include "models/keys/ready_views.h"
#include "models/palette/key_lookup.h"
#include "models/settings.h"
#include "models/workspace/workspace.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/regions/regions_page.h"
#include "ui/widgets/command_list.h"
#include "ui/widgets/questions.h"
#include "ui/window/command_palette.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr QLatin1StringView kGoPrefix { "go." }; // ids of the commands that show a page
constexpr QChar kTab = u'/'; // between a page and a tab of it
constexpr qsizetype kMostRecent = 5;

QString recentSettingsKey()
{
    return u"palette/recent"_s;
}

/// Empty: it is not kept. A key belongs to a customer, a view has no id of its own, and nobody means to close the
/// window because that was done last.
QString recentIdOf(const models::PaletteEntry &entry)
{
    using Kind = models::PaletteEntry::Kind;
    if (entry.kind == Kind::Key || entry.kind == Kind::View || entry.id.startsWith(u"window."_s)) {
        return {};
    }
    return QString::number(int(entry.kind)) + u' ' + entry.id;
}

} // namespace

PaletteSource::PaletteSource(MainWindow *window, CommandList *commands, models::Settings *settings)
    : QObject(window)
    , m_window(window)
    , m_commands(commands)
    , m_settings(settings)
{
}

void PaletteSource::open()
{
    if (m_window->findChild<CommandPalette *>() != nullptr) {
        return; // the keys that opened it, pressed again
    }
    const models::ConnectionController *connection = m_window->workspace()->connection();
    auto *keys = new models::KeyLookup;
    keys->setDatabase(connection->database());
    keys->setTargets(connection->searched());
    auto *palette = new CommandPalette(entries(), keys, m_window);
    connect(palette, &CommandPalette::chosen, this, &PaletteSource::take);
    openDialog(palette);
}

QList<models::PaletteEntry> PaletteSource::entries() const
{
    QList<models::PaletteEntry> entries;
    addPages(&entries);
    addTables(&entries);
    addActions(&entries);
    for (models::PaletteEntry &entry : entries) {
        entry.group = entry.kind == models::PaletteEntry::Kind::Action ? tr("Actions") : tr("Go to");
    }
    bringRecent(&entries);
    return entries;
}

void PaletteSource::remember(const models::PaletteEntry &entry)
{
    const QString id = recentIdOf(entry);
    if (id.isEmpty()) {
        return;
    }
    QStringList ids = QString::fromUtf8(m_settings->layout(recentSettingsKey())).split(u'\n', Qt::SkipEmptyParts);
    ids.removeAll(id);
    ids.prepend(id);
    m_settings->setLayout(recentSettingsKey(), ids.mid(0, kMostRecent).join(u'\n').toUtf8());
}

void PaletteSource::bringRecent(QList<models::PaletteEntry> *entries) const
{
    const QStringList ids = QString::fromUtf8(m_settings->layout(recentSettingsKey())).split(u'\n', Qt::SkipEmptyParts);
    qsizetype to = 0;
    for (const QString &id : ids) {
        const auto found = std::find_if(entries->cbegin(), entries->cend(),
            [&id](const models::PaletteEntry &entry) { return recentIdOf(entry) == id; });
        if (found != entries->cend()) {
            const qsizetype from = found - entries->cbegin();
            entries->move(from, to);
            (*entries)[to++].group = tr("Recent");
        }
    }
}

void PaletteSource::addPages(QList<models::PaletteEntry> *entries) const
{
    for (const Page::Face &face : m_window->faces()) {
        if (!m_window->offers(face.id)) {
            continue;
        }
        const Command *go = m_commands->find(kGoPrefix + face.id);
        entries->append({ models::PaletteEntry::Kind::Page, face.id, m_window->titleOf(face), QString(),
            go == nullptr ? QString() : CommandList::keysText(*go), face.icon });
        if (face.id == RegionsPage::ownFace().id) {
            for (const auto &[tab, title] : m_window->regionsPage()->tabs()) {
                entries->append({ models::PaletteEntry::Kind::Page, face.id + kTab + tab, title,
                    tr("All members of the group"), QString(), face.icon });
            }
        }
    }
}

void PaletteSource::addTables(QList<models::PaletteEntry> *entries) const
{
    for (const models::TargetEntry &entry : m_window->workspace()->connection()->targets()) {
        const sql::Profile &profile = entry.target.profile;
        entries->append({ models::PaletteEntry::Kind::Table, profile.name, models::targetTitle(profile),
            models::targetPlace(profile), QString(), u"keys"_s });
    }
    const QList<models::SavedView> all = views();
    for (qsizetype at = 0; at < all.size(); ++at) {
        const models::SavedView &view = all.at(at);
        const models::TargetEntry *entry = m_window->workspace()->connection()->target(view.target);
        entries->append({ models::PaletteEntry::Kind::View, QString::number(at), view.name,
            entry == nullptr ? view.filter : models::targetTitle(entry->target.profile) + u" · "_s + view.filter,
            QString(), u"views"_s });
    }
}

/// Those that the person saved for any table, and those that the table in front comes with.
QList<models::SavedView> PaletteSource::views() const
{
    QList<models::SavedView> all;
    for (const models::TargetEntry &entry : m_window->workspace()->connection()->targets()) {
        all += m_settings->savedViews(entry.target.profile.name);
    }
    if (m_window->browser()->hasTarget()) {
        all += models::readyViews(m_window->browser()->target());
    }
    return all;
}

void PaletteSource::addActions(QList<models::PaletteEntry> *entries) const
{
    for (const Command &command : m_commands->all()) {
        if (command.action->isEnabled() && command.action->isVisible() && !command.id.startsWith(kGoPrefix)) {
            const bool on = command.action->isCheckable() && command.action->isChecked();
            entries->append({ models::PaletteEntry::Kind::Action, command.id, CommandList::nameOf(command.action),
                on ? tr("%1 · on").arg(command.place) : command.place, CommandList::keysText(command), u"running"_s });
        }
    }
}

void PaletteSource::take(const models::PaletteEntry &entry)
{
    using Kind = models::PaletteEntry::Kind;
    remember(entry);
    const auto showKeys = [this](const QString &target, const QString &filter, const QString &order) {
        m_window->showPage(m_window->keysPage()->face().id);
        m_window->keysPage()->showTarget(target, filter);
        m_window->browser()->setOrder(order);
    };
    switch (entry.kind) {
    case Kind::Page:
        m_window->showPage(entry.id.section(kTab, 0, 0));
        if (entry.id.contains(kTab)) {
            m_window->regionsPage()->showTab(entry.id.section(kTab, 1));
        }
        return;
    case Kind::Table:
        showKeys(entry.id, {}, {});
        return;
    case Kind::Key:
        showKeys(entry.id, u"key:"_s + models::quoteFilterValue(entry.title), {});
        return;
    case Kind::View:
        if (const QList<models::SavedView> all = views(); entry.id.toInt() < all.size()) {
            const models::SavedView &view = all.at(entry.id.toInt());
            showKeys(view.target, view.filter, view.order);
        }
        return;
    case Kind::Action:
        if (const Command *command = m_commands->find(entry.id); command != nullptr) {
            command->action->trigger();
        }
        return;
    }
}

} // namespace idemdesk::ui
